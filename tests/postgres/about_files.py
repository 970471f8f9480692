"""Tests that are left out over PostgreSQL, by their modules: those that look at the
files of a store themselves, where there are none; that share one server, as each test
has a database of its own; or that have a database anyhow (all of the module)."""

ABOUT_FILES: dict[str, tuple[str, ...]] = {
    "tests/commands/test_blocking.py": (
        "test_a_board_that_cannot_be_read_keeps_no_other_from_being_declined",
        "test_a_hundred_players_are_the_most",
        "test_a_player_with_many_boards_gets_one_letter",
        "test_the_new_words_are_no_userids_but_old_accounts_stay",
    ),
    "tests/commands/test_challenges.py": ("test_a_format_that_is_not_known",),
    "tests/commands/test_forgotten_passwords.py": (
        "test_who_gets_no_letter_is_answered_the_same",
    ),
    "tests/commands/test_messages.py": (
        "test_a_damaged_reader_is_named_and_nothing_is_lost",
        "test_a_reader_whose_file_is_damaged_later_gets_the_letter_in_the_end",
        "test_texts_go_when_their_line_leaves_the_log",
    ),
    "tests/commands/test_open_challenges.py": (
        "test_a_damaged_file_is_named",
        "test_an_old_account_named_anyone_is_reached_elsewhere",
    ),
    "tests/commands/test_refusals.py": (
        "test_a_fault_changes_nothing",
        "test_faults_that_a_command_cannot_have",
    ),
    "tests/commands/test_results.py": (
        "test_a_damaged_account_does_not_take_its_results_away",
        "test_a_damaged_account_is_named_and_stops_nobody",
        "test_a_damaged_board_is_named_and_stops_nobody",
        "test_an_empty_store",
        "test_players_without_an_account_stay_in_the_results",
    ),
    "tests/commands/test_typed_commands.py": ("test_damaged_files_stop_nobody",),
    "tests/letters/test_help_pages.py": ("test_an_example_runs",),
    "tests/letters/test_json.py": (
        "test_a_damaged_board_has_no_line_among_the_ended_ones",
    ),
    "tests/letters/test_screens.py": (
        "test_a_board_that_was_resigned_has_no_more_moves",
        "test_a_preview_keeps_nothing_and_draws_nothing",
        "test_the_moves_are_listed_and_the_words_to_send_work",
    ),
    "tests/letters/test_tutorial.py": ("test_every_line_works_as_it_is_typed",),
    "tests/owner/test_check_and_flush.py": (
        "test_a_board_that_is_busy_is_said_to_be",
        "test_a_derived_part_that_is_stale_is_found_and_mended",
        "test_a_file_that_looks_like_a_mark_stops_nothing",
        "test_a_mark_without_its_line_means_nothing",
        "test_damage_is_named_and_left_as_it_is",
        "test_flush_skips_a_mark_that_has_just_gone",
        "test_letters_that_cannot_leave_stay_marked",
        "test_one_damaged_file_does_not_keep_the_other_letters",
        "test_repair_never_rewrites_a_log",
        "test_the_letter_to_a_damaged_account_waits",
    ),
    "tests/owner/test_check_over_databases.py": (),
    "tests/owner/test_digest.py": ("test_digests_push_nothing_out_of_the_log",),
    "tests/owner/test_owner_commands.py": (
        "test_a_bar_at_a_terminal",
        "test_a_bar_for_each_part_of_a_copy",
        "test_a_check_without_standard_error",
        "test_a_strange_file_is_in_the_table",
        "test_a_word_too_many_leads_to_the_help",
        "test_no_bar_elsewhere",
        "test_no_secret_is_in_the_table",
        "test_the_table_of_players",
    ),
    "tests/owner/test_status.py": (),
    "tests/owner/test_tick.py": (
        "test_a_damaged_account_delays_nobody",
        "test_damaged_or_busy_boards_stop_nothing_else",
    ),
    "tests/owner/test_vacations_stop_clocks.py": ("test_a_vacation_changes_no_board",),
    "tests/server/test_every_command_once.py": (
        "test_a_disk_that_is_full_loses_nothing",
        "test_a_letter_is_the_same_whenever_it_is_sent",
        "test_a_mark_without_its_line_means_nothing",
        "test_a_player_who_waits_too_long_is_told_to_come_again",
        "test_after_a_kill_at_any_moment_the_mail_comes_again",
    ),
    "tests/server/test_inbox.py": (
        "test_a_damaged_board_stops_nobody_else",
        "test_strangers_get_a_limited_number_of_answers_an_hour",
    ),
    "tests/server/test_letters_leave_once.py": (
        "test_a_copy_that_waits_leaves_later_and_the_others_not_again",
        "test_a_letter_that_an_address_refuses_is_kept_and_not_retried",
        "test_a_letter_that_is_refused_is_refused_for_all",
        "test_a_mark_says_at_once_what_has_left",
        "test_an_address_may_be_mended_in_the_file",
        "test_an_answer_is_kept_for_the_address_that_waits",
        "test_an_answer_that_cannot_be_kept_comes_again",
        "test_an_owner_who_cannot_be_reached",
        "test_letters_that_cannot_be_kept_wait",
        "test_letters_that_wait_go_to_the_new_address",
        "test_marks_of_1_0_count",
        "test_remembered_values_are_limited",
        "test_the_owner_hears_at_most_once_an_hour",
        "test_the_reason_is_in_no_other_accounts_hands",
        "test_the_same_by_sendmail",
        "test_the_same_in_a_server_that_stays",
        "test_two_do_not_send_the_same_again",
        "test_undeliverable_letters_leave_by_another_way",
        "test_whatever_servers_say_each_copy_leaves_once",
        "test_why_letters_wait",
    ),
    "tests/server/test_multiple.py": (
        "test_blank_and_quoted_lines_and_the_signature_are_left_out",
        "test_each_is_answered_as_it_is_alone",
        "test_fifty_commands_are_the_most",
        "test_lines_that_are_not_commands_stop_nothing",
        "test_the_order_is_that_of_the_lines",
    ),
    "tests/server/test_multiple_repeated.py": (
        "test_a_busy_board_brings_the_mail_again",
        "test_a_reader_who_has_closed_the_terminal",
        "test_an_interrupted_mail_is_completed_when_it_comes_again",
        "test_each_line_has_an_id_of_its_own",
        "test_in_the_shell_all_is_printed",
        "test_the_greatest_status_counts",
    ),
    "tests/server/test_offer_letters.py": (
        "test_a_chat_goes_to_the_others_and_into_the_record",
    ),
    "tests/server/test_queued_moves_survive_crashes.py": (
        "test_after_a_kill_at_any_moment_the_queue_comes_again",
        "test_after_a_kill_at_any_moment_the_tick_comes_again",
    ),
    "tests/server/test_random_commands.py": ("TestMachine::runTest",),
    "tests/server/test_replies.py": ("test_a_restored_backup_gives_letters_new_ids",),
    "tests/server/test_second_tries.py": (
        "test_a_command_is_done_once",
        "test_one_that_fails_twice_must_come_again",
        "test_one_without_a_source_is_not_tried_again",
    ),
}


def is_about_files(nodeid: str) -> bool:
    """Whether a test, by its id, is one of these."""
    module, _, test = nodeid.partition("::")
    names = ABOUT_FILES.get(module)
    return names == () or test.partition("[")[0] in (names or ())
