//! The 26 weaknesses of the reference pipeline (`perf-benchmark` 0.6.1), each with the tests that would fail if slowpath had
//! it. Paths are below `crates/`.
//!
//! | | weakness | tests |
//! |---|---|---|
//! | W1 | missing evidence hides a proven failure | `diagnose/tests/it/score.rs::a_quadratic_program_fails_and_stops_although_sub_checks_are_missing`, `slowpath/tests/it/scored.rs::a_quadratic_program_fails_stops_and_leaves_findings_that_can_be_acted_on` |
//! | W2 | the table of functions is empty, a comment is taken for a row | `slowpath/tests/it/lab.rs::a_comment_that_looks_like_a_row_changes_nothing`, `tools/src/valgrind/callgrind/tests.rs::a_file_without_costs_is_an_error`, `tools/src/valgrind/fixtures.rs::every_instrument_has_every_case` |
//! | W3 | figures of caches come from the wrong columns | `slowpath/tests/it/tiers.rs::a_column_walk_misses_with_every_read_and_a_row_walk_with_every_sixteenth`, `slowpath/tests/it/scored.rs::a_linear_loop_is_not_condemned_and_columns_are`, `tools/src/valgrind/callgrind/tests.rs::differing_sums_are_both_named` |
//! | W4 | branches are never simulated | `slowpath/tests/it/tiers.rs::random_jumps_are_mispredicted`, `slowpath/tests/it/scored.rs::branches_and_churn_are_seen_and_phases_are_not_blamed`, `diagnose/tests/it/score.rs::mispredicted_branches_fail_by_simulation_and_by_counters` |
//! | W5 | newer valgrinds simulate no cache unless asked | `tools/src/valgrind/invocation.rs::every_simulation_is_asked_for_or_switched_off_by_name`, `tools/src/valgrind/fixtures.rs::every_capture_gives_what_is_expected` |
//! | W6 | the real cache is refused by the simulator | `slowpath/tests/it/lab.rs::a_rounded_cache_is_one_that_the_simulator_takes`, `tools/src/valgrind/geometry.rs::every_rounded_cache_is_legal`, `slowpath/src/walk/tier/caches.rs::an_illegal_last_level_is_rounded_and_both_are_told` |
//! | W7 | limits condemn good code | `slowpath/tests/it/scored.rs::a_linear_loop_is_not_condemned_and_columns_are`, `slowpath/tests/it/lab.rs::sorting_is_no_defect`, `diagnose/tests/it/score.rs::a_library_sort_is_not_condemned` |
//! | W8 | costs are divided by a size the program never got | `slowpath/tests/it/lab.rs::two_calls_an_element_are_linear_and_an_unknown_size_divides_nothing` |
//! | W9 | a clock of 10 ms, zeros thrown away | `slowpath/tests/it/lab.rs::runs_of_a_millisecond_all_count` |
//! | W10 | the exponent is start-up and noise | `slowpath/tests/it/lab.rs::python_that_grows_with_the_square_is_named_and_its_interpreter_not_judged`, `slowpath/tests/it/lab.rs::python_that_is_linear_is_not_condemned`, `slowpath/tests/it/lab.rs::times_that_are_mostly_start_up_do_not_acquit`, `slowpath/tests/it/scaled.rs::counts_tell_the_class_and_the_exponent` |
//! | W11 | percentiles pool all sizes, a win at one size is lost | `slowpath/tests/it/lab.rs::a_win_at_the_largest_size_is_seen_at_that_size_and_percentiles_stay_within_it` |
//! | W12 | a regression is only a change of colour | `slowpath/tests/it/scored.rs::a_baseline_catches_thirty_times_the_work_and_not_the_same_work`, `slowpath/tests/it/scored.rs::what_cannot_be_compared_is_refused` |
//! | W13 | the ledger compares anything with anything | `diagnose/tests/it/score.rs::a_ledger_compares_equal_keys_alone`, `slowpath/tests/it/scored.rs::a_ledger_grows_by_a_line_and_survives_broken_ones` |
//! | W14 | ratios of memory mix sources and sizes | `slowpath/tests/it/lab.rs::memory_is_held_against_the_same_source_and_what_lacks_is_told_in_both_files`, `diagnose/tests/it/score.rs::memory_is_compared_with_the_same_size_alone` |
//! | W15 | no function, no line, interpreters instead of Python | `slowpath/tests/it/lab.rs::python_that_grows_with_the_square_is_named_and_its_interpreter_not_judged`, `slowpath/tests/it/tiers.rs::a_prefix_leaves_one_sum_for_everything_outside`, `diagnose/tests/it/score.rs::python_is_not_judged_by_its_interpreter` |
//! | W16 | findings cannot be acted on | `slowpath/tests/it/lab.rs::findings_have_a_place_a_command_and_ids_that_outlive_the_checkout`, `diagnose/tests/it/score.rs::ids_do_not_depend_on_the_checkout` |
//! | W17 | only the first process is seen, its status ignored | `slowpath/tests/it/lab.rs::a_script_is_followed_to_the_function_that_grows`, `slowpath/tests/it/tiers.rs::what_a_script_starts_is_seen_and_growth_is_told_by_function`, `slowpath/tests/it/tiers.rs::a_program_that_fails_only_under_valgrind_is_not_counted` |
//! | W18 | waiting is invisible | `slowpath/tests/it/scored.rs::a_program_that_sleeps_is_told_to_wait`, `slowpath/tests/it/lab.rs::threads_that_fight_for_a_lock_are_no_full_marks`, `slowpath/tests/it/recorded.rs::a_lock_knows_its_holder_and_time_goes_to_what_the_holder_did` |
//! | W19 | churn is told from the wrong curve | `slowpath/tests/it/tiers.rs::churn_is_counted_by_blocks_and_lives`, `slowpath/tests/it/scored.rs::branches_and_churn_are_seen_and_phases_are_not_blamed` |
//! | W20 | healthy runs are errors, and reasons are lost | `slowpath/tests/it/lab.rs::memory_is_held_against_the_same_source_and_what_lacks_is_told_in_both_files`, `slowpath/tests/it/lab.rs::a_virtual_environment_and_flags_of_the_interpreter_are_kept` |
//! | W21 | crashes, stale files, hangs | `slowpath/tests/it/refusals.rs::strange_targets_are_measured`, `slowpath/tests/it/folders.rs::a_folder_of_ones_choice_must_be_new_or_empty`, `slowpath/tests/it/tiers.rs::sizes_and_places_must_fit_together`, `slowpath/tests/it/tiers.rs::what_does_not_fit_the_limit_is_named_with_its_command`, `slowpath/tests/it/hooks.rs::a_run_past_its_time_is_ended_with_all_its_children`, `slowpath/tests/it/scored.rs::what_cannot_be_compared_is_refused` |
//! | W22 | counters that lack are zeros, and instruments disturb the clock | `slowpath/tests/it/lab.rs::nothing_runs_beside_a_run_that_is_timed`, `tools/src/perf_stat/tests.rs::what_was_not_counted_is_unknown_not_zero`, `tools/src/perf_stat/tests.rs::cores_of_both_kinds_are_added_and_shares_kept`, `slowpath/tests/it/recorded.rs::an_ordinary_user_gets_the_same_answer` |
//! | W23 | another interpreter than the target's | `slowpath/tests/it/lab.rs::a_virtual_environment_and_flags_of_the_interpreter_are_kept`, `slowpath/tests/it/tiers.rs::tracemalloc_runs_in_the_targets_own_interpreter_and_absent_tools_are_gaps` |
//! | W24 | benchmarks of a suite are averaged into one | `slowpath/tests/it/lab.rs::each_benchmark_of_a_suite_is_a_series_of_its_own`, `slowpath/tests/it/suites.rs::each_benchmark_of_a_pytest_suite_is_a_series_and_the_projects_code_is_the_culprit` |
//! | W25 | machine code is dumped, never checked; Numba is unknown | `slowpath/tests/it/lab.rs::hot_loops_are_checked_whatever_the_path_and_without_any_tool`, `slowpath/tests/it/lab.rs::code_that_numba_compiled_belongs_to_the_python_function` |
//! | W26 | points without their coverage | `slowpath/tests/it/lab.rs::points_stand_beside_their_coverage_and_the_machine_is_known`, `diagnose/tests/it/score.rs::a_sum_of_nothing_has_no_band` |

use std::fs;
use std::path::Path;

#[test]
fn every_weakness_has_tests_that_exist() {
    let rows: Vec<&str> =
        include_str!("weaknesses.rs").lines().filter(|line| line.starts_with("//! | W")).collect();
    assert_eq!(rows.len(), 26);
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (number, row) in (1..).zip(rows) {
        assert!(row.starts_with(&format!("//! | W{number} |")), "{row}");
        let named: Vec<(&str, &str)> = row.split('`').filter_map(|part| part.split_once(".rs::")).collect();
        assert!(!named.is_empty(), "no test for W{number}");
        for (file, name) in named {
            let text = fs::read_to_string(crates.join(format!("{file}.rs"))).unwrap_or_default();
            let test = format!("#[test]\nfn {name}() {{");
            let inner = format!("    #[test]\n    fn {name}() {{");
            assert!(text.contains(&test) || text.contains(&inner), "W{number}: no test {name} in {file}.rs");
        }
    }
}
