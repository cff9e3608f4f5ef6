//! Operator tokens on the command line.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use morpion_openapi::admin::{TokenScope, TokensAnswer};

use crate::{
    command_error::CommandError,
    confirm, escape,
    reference::{self, Candidate},
};

/// Reads a scope of tokens from the command line, and completes it.
pub fn scopes() -> impl TypedValueParser<Value = TokenScope> {
    let words = TokenScope::ALL.iter().map(|scope| scope.as_str());
    PossibleValuesParser::new(words).try_map(|word| {
        let scope = TokenScope::ALL.iter().find(|scope| scope.as_str() == word);
        scope.copied().ok_or("no such scope")
    })
}

/// The error when a new token's text could not be written, and whether it was revoked. `command` revokes it by hand.
pub fn lost(unwritten: CommandError, revoked: Result<(), String>, command: &str) -> CommandError {
    let rest = match revoked {
        Ok(()) => "The token was revoked again.".to_owned(),
        Err(why) => format!("The token works, but was not shown; revoke it with `{command}` ({why})."),
    };
    CommandError { text: format!("{} {rest}", unwritten.text), ..unwritten }
}

/// The id of the token to revoke, after a confirmation if it is the one in use.
///
/// # Errors
/// No token matches, or several; or it was not confirmed.
pub fn to_revoke(tokens: &TokensAnswer, wanted: &str, is_sure: bool) -> Result<String, CommandError> {
    let all = tokens.tokens.iter();
    let all = all.map(|token| Candidate { id: token.token_id.clone(), name: token.name.clone() });
    let chosen = reference::choose("token", wanted, all)?;
    if !is_sure && tokens.current_token_id.as_ref() == Some(&chosen.id) {
        let name = escape::line(&chosen.name);
        let question = format!("'{name}' is the token that this command signs in with; revoked, it no longer works.");
        confirm::yes(&question, "--yes revokes it anyway")?;
    }
    Ok(chosen.id)
}
