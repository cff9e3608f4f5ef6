//! Confirmation before something that is hard to undo.

use std::io::{self, BufRead, IsTerminal, Write};

use crate::command_error::{CommandError, FailureKind};

/// Asks on the terminal. Without one nobody can confirm; `otherwise` names the alternative.
///
/// # Errors
/// It was not confirmed.
pub fn yes(question: &str, otherwise: &str) -> Result<(), CommandError> {
    let (input, mut output) = (io::stdin(), io::stderr());
    if !input.is_terminal() || !output.is_terminal() {
        return Err(CommandError::new(FailureKind::Conflict, format!("{question} Nothing was changed; {otherwise}.")));
    }
    let mut answer = String::new();
    let asked = write!(output, "{question} Go on? [y/N] ").and_then(|()| output.flush());
    match asked.and_then(|()| input.lock().read_line(&mut answer)) {
        Ok(_) if is_yes(&answer) => Ok(()),
        _ => Err(CommandError::new(FailureKind::Conflict, "Nothing was changed.")),
    }
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_y_and_yes_confirm() {
        assert_eq!(["y\n", "YES\n", "\n", "n\n", "yeah\n", ""].map(is_yes), [true, true, false, false, false, false]);
    }
}
