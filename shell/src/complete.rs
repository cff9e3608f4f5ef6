//! Completion of ids and names.

use std::{collections::HashMap, ffi::OsStr, time::Duration};

use clap_complete::engine::CompletionCandidate;

use crate::{escape, reference::Candidate};

/// A user is waiting at a prompt.
const PATIENCE: Duration = Duration::from_secs(2);

/// Candidates that match what was typed, or nothing: a prompt cannot show errors.
pub fn offers(typed: &OsStr, ask: impl AsyncFnOnce() -> Option<Vec<Candidate>>) -> Vec<CompletionCandidate> {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return vec![] };
    let found = runtime.block_on(async { tokio::time::timeout(PATIENCE, ask()).await.ok().flatten() });
    let typed = typed.to_string_lossy().to_lowercase();
    found.unwrap_or_default().into_iter().filter_map(|one| offer(&typed, one)).collect()
}

/// The values of these options on the line being completed, which the shell passes after `--`. The line is incomplete,
/// so it is not parsed.
pub fn options(words: impl Iterator<Item = String>, taken: &[&'static str]) -> HashMap<&'static str, String> {
    let mut found = HashMap::new();
    let mut words = words.skip_while(|word| word != "--").skip(1);
    while let Some(word) = words.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        if let Some(name) = taken.iter().find(|known| **known == name)
            && let Some(value) = value.or_else(|| words.next())
        {
            found.insert(*name, value);
        }
    }
    found
}

/// A name that needs no quotes is offered itself, anything else by its id.
fn offer(typed: &str, Candidate { id, name }: Candidate) -> Option<CompletionCandidate> {
    let is_plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
    };
    let is_by_name = name.to_lowercase().starts_with(typed);
    let is_by_id = !typed.is_empty() && id.starts_with(typed);
    let help = |text: &str| Some(escape::line(text).into_owned().into());
    match (is_by_name, is_by_id) {
        (true, _) if is_plain(&name) => Some(CompletionCandidate::new(name).help(help(&id))),
        (true, _) | (_, true) if is_plain(&id) => Some(CompletionCandidate::new(id).help(help(&name))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_from_an_incomplete_line() {
        let read = |line: &str| options(line.split(' ').map(str::to_owned), &["--server", "--token"]);
        let found = read("tui -- tui --json --server http://h:1 events --token=t sh");
        assert_eq!((found["--server"].as_str(), found["--token"].as_str()), ("http://h:1", "t"));
        assert!(read("tui -- tui events --server").is_empty());
        assert!(read("tui --server before -- tui").is_empty(), "words before `--` are ignored");
    }

    #[test]
    fn names_that_need_quotes_are_completed_by_id() {
        let value = |typed: &str, name: &str| {
            let one = Candidate { id: "0f5e7a4c".to_owned(), name: name.to_owned() };
            offer(typed, one).map(|offer| offer.get_value().to_string_lossy().into_owned())
        };
        assert_eq!(value("an", "Anna").as_deref(), Some("Anna"));
        assert_eq!(value("fri", "Friday cup").as_deref(), Some("0f5e7a4c"));
        assert_eq!(value("0f5", "Friday cup").as_deref(), Some("0f5e7a4c"));
        assert_eq!(value("x", "Friday cup"), None);
    }
}
