//! `docs/security/asvs.md` answers every requirement of levels 1 and 2, and what it refers to exists.

use super::{TREE, assert_none, code, expanded, is_path};

const DOCUMENT: &str = "docs/security/asvs.md";

/// All requirements of levels 1 and 2 in ASVS 5.0.0: sections, and the last parts of their ids.
const REQUIREMENTS: &[(&str, &str)] = &[
    ("V1.1", "1 2"),
    ("V1.2", "1 2 3 4 5 6 7 8 9"),
    ("V1.3", "1 2 3 4 5 6 7 8 9 10 11"),
    ("V1.4", "1 2 3"),
    ("V1.5", "1 2"),
    ("V2.1", "1 2 3"),
    ("V2.2", "1 2 3"),
    ("V2.3", "1 2 3 4"),
    ("V2.4", "1"),
    ("V3.2", "1 2"),
    ("V3.3", "1 2 3 4"),
    ("V3.4", "1 2 3 4 5 6"),
    ("V3.5", "1 2 3 4 5"),
    ("V3.7", "1 2"),
    ("V4.1", "1 2 3"),
    ("V4.2", "1"),
    ("V4.3", "1 2"),
    ("V4.4", "1 2 3 4"),
    ("V5.1", "1"),
    ("V5.2", "1 2 3"),
    ("V5.3", "1 2"),
    ("V5.4", "1 2 3"),
    ("V6.1", "1 2 3"),
    ("V6.2", "1 2 3 4 5 6 7 8 9 10 11 12"),
    ("V6.3", "1 2 3 4"),
    ("V6.4", "1 2 3 4"),
    ("V6.5", "1 2 3 4 5"),
    ("V6.6", "1 2 3"),
    ("V6.8", "1 2 3 4"),
    ("V7.1", "1 2 3"),
    ("V7.2", "1 2 3 4"),
    ("V7.3", "1 2"),
    ("V7.4", "1 2 3 4 5"),
    ("V7.5", "1 2"),
    ("V7.6", "1 2"),
    ("V8.1", "1 2"),
    ("V8.2", "1 2 3"),
    ("V8.3", "1"),
    ("V8.4", "1"),
    ("V9.1", "1 2 3"),
    ("V9.2", "1 2 3 4"),
    ("V10.1", "1 2"),
    ("V10.2", "1 2"),
    ("V10.3", "1 2 3 4"),
    ("V10.4", "1 2 3 4 5 6 7 8 9 10 11"),
    ("V10.5", "1 2 3 4 5"),
    ("V10.6", "1 2"),
    ("V10.7", "1 2 3"),
    ("V11.1", "1 2"),
    ("V11.2", "1 2 3"),
    ("V11.3", "1 2 3"),
    ("V11.4", "1 2 3 4"),
    ("V11.5", "1"),
    ("V11.6", "1"),
    ("V12.1", "1 2 3"),
    ("V12.2", "1 2"),
    ("V12.3", "1 2 3 4"),
    ("V13.1", "1"),
    ("V13.2", "1 2 3 4 5"),
    ("V13.3", "1 2"),
    ("V13.4", "1 2 3 4 5"),
    ("V14.1", "1 2"),
    ("V14.2", "1 2 3 4"),
    ("V14.3", "1 2 3"),
    ("V15.1", "1 2 3"),
    ("V15.2", "1 2 3"),
    ("V15.3", "1 2 3 4 5 6 7"),
    ("V16.1", "1"),
    ("V16.2", "1 2 3 4 5"),
    ("V16.3", "1 2 3 4"),
    ("V16.4", "1 2 3"),
    ("V16.5", "1 2 3"),
    ("V17.1", "1"),
    ("V17.2", "1 2 3 4"),
    ("V17.3", "1 2"),
];

const VERDICTS: [&str; 3] = ["met", "not applicable", "not met"];

struct Row<'a> {
    id: &'a str,
    verdict: &'a str,
    evidence: &'a str,
}

fn text() -> &'static str {
    TREE.files.get(DOCUMENT).and_then(Option::as_deref).expect("the document is there")
}

/// The rows of its tables: `| id | level | requirement | verdict | evidence |`.
fn answers(text: &str) -> Vec<Row<'_>> {
    let lines = text.lines().filter(|line| line.starts_with("| V"));
    let cells = lines.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    cells
        .map(|cells| match cells[..] {
            ["", id, _, _, verdict, evidence, ""] => Row { id, verdict, evidence },
            _ => panic!("{DOCUMENT}: a row with {} cells: {cells:?}", cells.len()),
        })
        .collect()
}

/// What a cell refers to and is not there. A name in backticks that is no path has to be in the file before it.
pub fn missing(evidence: &str) -> Vec<String> {
    let mut wrong = vec![];
    let mut file = None;
    for name in code(evidence) {
        if !is_path(name) {
            if !file.is_some_and(|text| has_word(text, name)) {
                wrong.push(format!("no {name} in the file before it"));
            }
            continue;
        }
        file = None;
        for path in expanded(name) {
            match files(&path)[..] {
                [text] => file = text,
                [] if TREE.folders.contains(path.trim_end_matches('/')) => {}
                [] => wrong.push(format!("there is no {path}")),
                [..] => wrong.push(format!("there are several {path}")),
            }
        }
    }
    wrong
}

/// The text of the file with this path, else of all files whose paths end with it.
fn files(path: &str) -> Vec<Option<&'static str>> {
    if let Some(text) = TREE.files.get(path) {
        return vec![text.as_deref()];
    }
    let ending = format!("/{path}");
    TREE.files.iter().filter(|(known, _)| known.ends_with(&ending)).map(|(_, text)| text.as_deref()).collect()
}

fn has_word(text: &str, word: &str) -> bool {
    let is_inside = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word)
        .any(|(start, _)| !text[..start].ends_with(is_inside) && !text[start + word.len()..].starts_with(is_inside))
}

#[test]
fn every_requirement_is_answered_once_in_order() {
    let expected: Vec<String> = REQUIREMENTS
        .iter()
        .flat_map(|(section, ids)| ids.split(' ').map(move |id| format!("{section}.{id}")))
        .collect();
    let answered: Vec<&str> = answers(text()).iter().map(|row| row.id).collect();
    let pairs = expected.iter().zip(&answered);
    let wrong =
        pairs.filter(|(expected, id)| expected != id).map(|(expected, id)| format!("{id} instead of {expected}"));
    assert_none(&wrong.take(1).collect::<Vec<_>>());
    assert_eq!((answered.len(), expected.len()), (253, 253));
}

#[test]
fn every_answer_has_a_verdict_and_they_are_counted() {
    let rows = answers(text());
    let wrong = rows.iter().filter(|row| !VERDICTS.contains(&row.verdict) || row.evidence.is_empty());
    assert_none(&wrong.map(|row| format!("{DOCUMENT}: {}: no verdict, or no evidence", row.id)).collect::<Vec<_>>());
    let [met, does_not_apply, not_met] =
        VERDICTS.map(|verdict| rows.iter().filter(|row| row.verdict == verdict).count());
    let sentence = format!("{met} are met, {does_not_apply} do not apply, {not_met} are not met");
    assert!(text().contains(&sentence), "the document does not say: {sentence}");
}

#[test]
fn the_evidence_exists() {
    let rows = answers(text());
    let wrong = rows
        .iter()
        .flat_map(|row| missing(row.evidence).into_iter().map(move |why| format!("{DOCUMENT}: {}: {why}", row.id)));
    assert_none(&wrong.collect::<Vec<_>>());
}

#[test]
fn what_is_not_there_is_found() {
    assert_eq!(missing("`docs/asvs.rs` (`the_evidence_exists`), `config/morpion.toml`: `trusted_proxies`"), [""; 0]);
    assert_eq!(missing("`config/morpion.toml`: `trusted_prox`").len(), 1);
    assert_eq!(missing("`the_evidence_exists`").len(), 1);
    assert_eq!(missing("`docs/no-such-file.rs`").len(), 1);
    assert_eq!(missing("`main.rs`"), ["there are several main.rs"]);
    assert_eq!(answers("| V1.1.1 | 2 | text | met | here |\n| id | level |\n")[0].evidence, "here");
}
