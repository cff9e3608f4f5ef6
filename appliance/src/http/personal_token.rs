//! One's own personal tokens, under `/api/auth`.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement,
    programs::{CreatePersonalToken, DeletePersonalToken, PersonalTokenAnswer, PersonalTokensAnswer},
};
use poem_openapi::OpenApi;

use super::{
    ApiError,
    body::{Answer, Body},
    convert::account as convert,
};
use crate::{account::personal_token::MAX_PERSONAL_TOKENS, app::App, caller::Call};

type Result<T> = std::result::Result<T, ApiError>;

pub struct PersonalTokenApi(pub Arc<App>);

#[OpenApi(prefix_path = "/auth")]
impl PersonalTokenApi {
    /// One's personal tokens.
    #[oai(path = "/tokens", method = "get", operation_id = "listPersonalTokens")]
    async fn list(&self, call: Call) -> Result<Answer<PersonalTokensAnswer>> {
        let tokens = self.0.accounts.personal_tokens(&call).await?;
        let tokens = tokens.iter().map(convert::personal_token).collect::<std::result::Result<_, _>>()?;
        Ok(Answer(PersonalTokensAnswer { tokens, most: MAX_PERSONAL_TOKENS as u32 }))
    }

    /// Makes a personal token, by which a program acts for one.
    #[oai(path = "/tokens", method = "post", operation_id = "createPersonalToken")]
    async fn create(&self, call: Call, body: Body<CreatePersonalToken>) -> Result<Answer<PersonalTokenAnswer>> {
        let CreatePersonalToken { name, scopes, expires_in_days } = body.0;
        let (token, made) = self.0.accounts.create_personal_token(&call, &name, &scopes, expires_in_days).await?;
        Ok(Answer(PersonalTokenAnswer { token, personal_token: convert::personal_token(&made)? }))
    }

    /// Deletes one of one's personal tokens and closes its sockets.
    #[oai(path = "/tokens/delete", method = "post", operation_id = "deletePersonalToken")]
    async fn delete(&self, call: Call, body: Body<DeletePersonalToken>) -> Result<Answer<Acknowledgement>> {
        self.0.accounts.delete_personal_token(&call, &body.0.token_id).await?;
        Ok(Answer(Acknowledgement {}))
    }
}
