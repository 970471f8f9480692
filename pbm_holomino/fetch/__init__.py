"""Mail that is collected: from a mailbox by IMAP, from a Maildir, from an mbox file."""
