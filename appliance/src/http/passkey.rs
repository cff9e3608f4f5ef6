//! Passkeys: signing in with one alone, and one's own, under `/api/auth`.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement,
    account::{Empty, LoginAnswer},
    second_factor::{FinishPasskey, PasskeyAnswer, PasskeyLogin, PasskeyOptionsAnswer, RemovePasskey, RenamePasskey},
};
use poem::{http::HeaderMap, web::cookie::CookieJar};
use poem_openapi::OpenApi;

use super::{
    ApiError,
    auth::{AuthApi, host},
    body::{Answer, Body},
    convert::second_factor as convert,
};
use crate::{app::App, caller::Call};

type Result<T> = std::result::Result<T, ApiError>;

pub struct PasskeyApi(pub Arc<App>);

#[OpenApi(prefix_path = "/auth")]
impl PasskeyApi {
    /// Begins a sign-in with a passkey alone.
    #[oai(path = "/passkey/options", method = "post", operation_id = "getPasskeyOptions")]
    async fn options(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        _body: Body<Empty>,
    ) -> Result<Answer<PasskeyOptionsAnswer>> {
        let browser = AuthApi(Arc::clone(&self.0)).browser(jar, headers);
        self.0.accounts.require_passkeys(host(headers))?;
        let options = self.0.accounts.passkey_sign_in_options(&call, &browser)?;
        Ok(Answer(PasskeyOptionsAnswer { options }))
    }

    /// Signs in with a passkey alone.
    #[oai(path = "/passkey/login", method = "post", operation_id = "loginWithPasskey")]
    async fn login(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        body: Body<PasskeyLogin>,
    ) -> Result<Answer<LoginAnswer>> {
        let auth = AuthApi(Arc::clone(&self.0));
        let browser = auth.browser(jar, headers);
        let PasskeyLogin { credential, keep_guest_games } = body.0;
        let (user, issued) = self.0.accounts.sign_in_with_passkey(&call, &browser, credential).await?;
        let answer = auth.signed_in(jar, &user, &issued, false);
        Ok(auth.merge_guest_games(&call, keep_guest_games, answer).await)
    }

    /// Begins to add a passkey.
    #[oai(path = "/passkeys/begin", method = "post", operation_id = "beginPasskey")]
    async fn begin(&self, call: Call, headers: &HeaderMap, _body: Body<Empty>) -> Result<Answer<PasskeyOptionsAnswer>> {
        self.0.accounts.require_passkeys(host(headers))?;
        Ok(Answer(PasskeyOptionsAnswer { options: self.0.accounts.begin_passkey(&call).await? }))
    }

    /// Adds the passkey that the browser made.
    #[oai(path = "/passkeys/finish", method = "post", operation_id = "finishPasskey")]
    async fn finish(&self, call: Call, body: Body<FinishPasskey>) -> Result<Answer<PasskeyAnswer>> {
        let FinishPasskey { name, credential } = body.0;
        let (passkey, recovery_codes) = self.0.accounts.finish_passkey(&call, &name, credential).await?;
        Ok(Answer(PasskeyAnswer { passkey: convert::passkey(&passkey), recovery_codes }))
    }

    /// Renames one of one's passkeys.
    #[oai(path = "/passkeys/rename", method = "post", operation_id = "renamePasskey")]
    async fn rename(&self, call: Call, body: Body<RenamePasskey>) -> Result<Answer<Acknowledgement>> {
        self.0.accounts.rename_passkey(&call, &body.0.passkey_id, &body.0.name).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// Removes one of one's passkeys.
    #[oai(path = "/passkeys/remove", method = "post", operation_id = "removePasskey")]
    async fn remove(&self, call: Call, body: Body<RemovePasskey>) -> Result<Answer<Acknowledgement>> {
        self.0.accounts.remove_passkey(&call, &body.0.passkey_id).await?;
        Ok(Answer(Acknowledgement {}))
    }
}
