//! Operator tokens at a prompt: what nobody got to see, and what one holds oneself.

use morpion_openapi::admin::TokensAnswer;

use crate::{
    confirm, escape,
    reference::{self, Candidate},
    refusal::Refusal,
};

/// What is said when a new token's text did not arrive, and it was tried to revoke it. `command` revokes it by hand.
pub fn lost(unwritten: Refusal, revoked: Result<(), String>, command: &str) -> Refusal {
    let rest = match revoked {
        Ok(()) => "The token was revoked again.".to_owned(),
        Err(why) => format!("The token works, but nobody has it; revoke it with `{command}` ({why})."),
    };
    Refusal { text: format!("{} {rest}", unwritten.text), ..unwritten }
}

/// The id of the token that is to be revoked, after a yes where it is the one in use.
///
/// # Errors
/// None is meant, or several; or there was no yes.
pub fn to_revoke(tokens: &TokensAnswer, wanted: &str, is_sure: bool) -> Result<String, Refusal> {
    let all = tokens.tokens.iter();
    let all = all.map(|token| Candidate { id: token.token_id.clone(), name: token.name.clone() });
    let chosen = reference::choose("token", wanted, all)?;
    if !is_sure && tokens.current_token_id.as_ref() == Some(&chosen.id) {
        let name = escape::line(&chosen.name);
        let question = format!("'{name}' is the token that this command signs in with; revoked, it lets nobody in.");
        confirm::yes(&question, "--yes revokes it all the same")?;
    }
    Ok(chosen.id)
}
