"""How what people write becomes what they meant.

A mail goes this way, and stops where it is understood:

    quotations  which of its lines its writer wrote; the others are letters of ours, or
                added by programs. (`texts.own_lines` also knows the letter itself.)
    grammar     the first line, or the Subject, as a command that is typed as it should
                be; a reply may leave out what its letter has (`server.replies`)
    repair      the same where it is not quite a command and can mean only one: all
                that it may mean are `readings`, each word in its `spelling`
    aliases     the same in another language
    replies     the first lines of a reply, which may hold a move among other words;
                which of these say nothing is in `languages.small_talk`

What a reply means for sure is done, and what is doubtful is offered. Subjects, the
shell and `multiple` end with aliases.
"""
