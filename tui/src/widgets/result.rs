//! The result of a game in words, for pages, lists and the command line.

use std::fmt::Display;

use morpion_openapi::game::{EndReason, Symbol};

/// In a list, after the result; empty for a line.
pub const fn how(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Line => "",
        EndReason::Forfeit => "by forfeit",
        EndReason::Timeout => "on time",
        EndReason::NoShow => "did not come",
        EndReason::Disconnect => "disconnected",
        EndReason::Time => "less time used",
        EndReason::Adjudicated => "by decision",
        EndReason::Void => "void",
        EndReason::Declined => "declined",
        EndReason::Removed => "removed",
    }
}

/// A sentence. `name` gives the names of the players, `line` the cells of the line that won, where they are known.
pub fn sentence<Name: Display>(
    winner: Option<Symbol>,
    reason: Option<EndReason>,
    decision: Option<&str>,
    line: &[String],
    name: impl Fn(Symbol) -> Name,
) -> String {
    let Some(winner) = winner.filter(|_| reason != Some(EndReason::Void)) else {
        return if reason == Some(EndReason::Void) { "The game is void: no result." } else { "It's a Draw!" }
            .to_owned();
    };
    let (won, lost) = (name(winner), name(if winner == Symbol::X { Symbol::O } else { Symbol::X }));
    match reason {
        None | Some(EndReason::Line | EndReason::Void) if line.is_empty() => format!("{won} won."),
        None | Some(EndReason::Line | EndReason::Void) => format!("{won} won with {}.", line.join(" ")),
        Some(EndReason::Forfeit) => format!("{won} won: {lost} forfeited."),
        Some(EndReason::Timeout) => format!("{won} won: {lost} ran out of time."),
        Some(EndReason::NoShow) => format!("{won} won: {lost} did not come."),
        Some(EndReason::Declined) => format!("{won} won: {lost} declined the game."),
        Some(EndReason::Removed) => format!("{won} won: {lost} was removed."),
        Some(EndReason::Disconnect) => format!("{won} won: {lost} was away for too long."),
        Some(EndReason::Time) => format!("{won} won by using less time."),
        Some(EndReason::Adjudicated) => match decision {
            Some(decision) => format!("{won} won by an admin's decision: {decision}"),
            None => format!("{won} won by an admin's decision."),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(winner: Option<Symbol>, reason: Option<EndReason>, decision: Option<&str>, line: &[&str]) -> String {
        let line: Vec<_> = line.iter().map(|cell| (*cell).to_owned()).collect();
        sentence(winner, reason, decision, &line, |symbol| if symbol == Symbol::X { "ada" } else { "ben" })
    }

    #[test]
    fn a_result_says_why() {
        assert_eq!(of(Some(Symbol::X), Some(EndReason::Line), None, &["a1", "b2", "c3"]), "ada won with a1 b2 c3.");
        assert_eq!(of(Some(Symbol::X), None, None, &[]), "ada won.");
        assert_eq!(of(Some(Symbol::O), Some(EndReason::NoShow), None, &[]), "ben won: ada did not come.");
        assert_eq!(of(Some(Symbol::O), Some(EndReason::Declined), None, &[]), "ben won: ada declined the game.");
        assert_eq!(of(Some(Symbol::O), Some(EndReason::Removed), None, &[]), "ben won: ada was removed.");
        let decided = of(Some(Symbol::O), Some(EndReason::Adjudicated), Some("He left."), &[]);
        assert_eq!(decided, "ben won by an admin's decision: He left.");
        assert_eq!(of(None, Some(EndReason::Void), None, &[]), "The game is void: no result.");
        assert_eq!(of(Some(Symbol::X), Some(EndReason::Void), None, &[]), "The game is void: no result.");
        assert_eq!(of(None, None, None, &[]), "It's a Draw!");
    }
}
