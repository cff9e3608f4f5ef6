//! Operator tokens on the command line.

use clap::builder::TypedValueParser;
use morpion_openapi::admin::{TokenScope, TokensAnswer};

use crate::{
    command_error::CommandError,
    confirm, escape,
    output::print_error,
    reference::{self, Candidate},
    words::words,
};

/// Reads a scope of tokens from the command line, and completes it.
pub fn scopes() -> impl TypedValueParser<Value = TokenScope> {
    words(TokenScope::ALL, TokenScope::as_str)
}

/// Warns of tokens that expire soon or never, where it is in nobody's way: on standard error.
pub fn print_warnings(tokens: &TokensAnswer) {
    tokens.warnings.iter().for_each(|warning| print_error(&format!("note: {warning}")));
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
