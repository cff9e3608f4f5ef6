//! `docs/security/attacks.md` has a row for every attack of `make attack`, and the tests that it names exist.

use super::{TREE, assert_none, asvs::missing};

const DOCUMENT: &str = "docs/security/attacks.md";
const PROGRAM: &str = "appliance/benches/attack/attacks.rs";

fn text(path: &str) -> &'static str {
    TREE.files.get(path).and_then(Option::as_deref).unwrap_or_else(|| panic!("{path} is not there"))
}

/// The rows of all tables, without their heads: the first cell and the last one.
fn rows() -> Vec<(&'static str, &'static str)> {
    let lines = text(DOCUMENT).lines().filter(|line| line.starts_with("| ") && !line.starts_with("| *"));
    let cells = lines.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect::<Vec<_>>());
    cells.map(|cells| (cells[0], cells[cells.len() - 1])).collect()
}

#[test]
fn every_attack_of_the_program_has_a_row() {
    let program = text(PROGRAM);
    let names = program.split("attack!(\"").skip(1).filter_map(|rest| rest.split('"').next());
    let rows = rows();
    let absent = names.filter(|name| !rows.iter().any(|(first, _)| first == name));
    assert_none(&absent.map(|name| format!("{DOCUMENT} has no row {name:?}")).collect::<Vec<_>>());
    assert!(rows.len() > 20, "{}", rows.len());
}

#[test]
fn the_tests_that_keep_it_so_exist() {
    let wrong = rows().into_iter().flat_map(|(attack, tests)| {
        let wrong = if tests.contains('`') { missing(tests) } else { vec!["no test".to_owned()] };
        wrong.into_iter().map(move |why| format!("{DOCUMENT}: {attack}: {why}"))
    });
    assert_none(&wrong.collect::<Vec<_>>());
}
