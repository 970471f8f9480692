"""Tests that are left out over PostgreSQL, by their modules: those that are about the
files of a store, or about what only files do."""

import re

ABOUT_FILES: dict[str, tuple[str, ...]] = {
    # how strangers are counted in a file, and what else may be in a folder
    "tests/faults/test_limits.py": ("test_counting_does_not_grow_with_the_strangers",),
    "tests/owner/test_check_and_flush.py": (
        "test_a_file_that_looks_like_a_mark_stops_nothing",
    ),
    # files that are some days old, and how much room they take
    "tests/owner/test_status.py": (
        "test_the_size_is_that_of_all_files",
        "test_letters_that_wait_for_cron_are_no_problem_yet",
        "test_letters_that_were_refused_for_good",
        "test_mails_in_quarantine",
    ),
    # a folder is copied to another one: tests/owner/test_copy.py copies databases
    "tests/owner/test_owner_commands.py": ("test_a_bar_for_each_part_of_a_copy",),
    # a folder in place of a file; and files that are removed by hand, as lists of a
    # database go on with what they know of a board whose row is gone
    "tests/store/test_edited_by_hand.py": (
        "test_a_folder_in_place_of_a_board_is_damage",
        "test_a_number_is_never_given_twice",
    ),
    "tests/store/test_stored_ratings.py": (
        "test_a_result_that_turns_up_late_is_noticed",
        "test_a_result_that_is_struck_off_no_longer_counts",
        "test_ratings_of_a_board_that_is_gone",
    ),
    # system calls fail: tests/postgres fills the disk of a database
    "tests/server/test_every_command_once.py": (
        "test_a_disk_that_is_full_loses_nothing",
    ),
    # a mark that is a file says at once what has left, that in a database at the end;
    # and the mode of a file
    "tests/mail/test_submission.py": (
        "test_a_process_that_is_killed_before_an_answer",
    ),
    "tests/server/test_letters_leave_once.py": (
        "test_the_same_in_a_server_that_stays",
        "test_a_mark_says_at_once_what_has_left",
        "test_the_reason_is_in_no_other_accounts_hands",
    ),
}


def is_about_files(nodeid: str) -> bool:
    """Whether a test is one of these, by its id, which may end in its group."""
    module, _, test = nodeid.partition("::")
    return re.split(r"[\[@]", test)[0] in ABOUT_FILES.get(module, ())
