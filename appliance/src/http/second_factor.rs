//! The second factor of a pending sign-in, proofs before sensitive acts, and one's own second factor, under `/api/auth`.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement,
    account::{Empty, LoginAnswer},
    second_factor::{
        ConfirmTotp, Proof, ProofOptionsAnswer, RecoveryCodesAnswer, SecondFactorAnswer, TotpConfirmedAnswer,
        TotpSetupAnswer,
    },
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

pub struct SecondFactorApi(pub Arc<App>);

#[OpenApi(prefix_path = "/auth")]
impl SecondFactorApi {
    /// What the pending sign-in of this browser can be completed with.
    #[oai(path = "/second-factor/options", method = "post", operation_id = "getSecondFactorOptions")]
    async fn options(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        _body: Body<Empty>,
    ) -> Result<Answer<ProofOptionsAnswer>> {
        let browser = AuthApi(Arc::clone(&self.0)).browser(jar, headers);
        let options = self.0.accounts.pending_options(&call, &browser).await?;
        Ok(Answer(convert::proof_options(options, self.0.accounts.are_passkeys_available(host(headers)))))
    }

    /// Completes the pending sign-in of this browser.
    #[oai(path = "/second-factor/verify", method = "post", operation_id = "verifySecondFactor")]
    async fn verify(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        body: Body<Proof>,
    ) -> Result<Answer<LoginAnswer>> {
        let auth = AuthApi(Arc::clone(&self.0));
        let browser = auth.browser(jar, headers);
        let sign_in = self.0.accounts.finish_pending(&call, &browser, &body.0.into()).await?;
        let answer = auth.signed_in(jar, &sign_in.user, &sign_in.issued, false);
        Ok(auth.merge_guest_games(&call, Some(sign_in.keep_guest_games), answer).await)
    }

    /// What a sensitive act can be proved with.
    #[oai(path = "/proof/options", method = "post", operation_id = "getProofOptions")]
    async fn proof_options(
        &self,
        call: Call,
        headers: &HeaderMap,
        _body: Body<Empty>,
    ) -> Result<Answer<ProofOptionsAnswer>> {
        let options = self.0.accounts.proof_options(&call).await?;
        Ok(Answer(convert::proof_options(options, self.0.accounts.are_passkeys_available(host(headers)))))
    }

    /// Proves that it is the owner who is signed in: sensitive acts are open for 10 minutes.
    #[oai(path = "/proof", method = "post", operation_id = "prove")]
    async fn prove(&self, call: Call, body: Body<Proof>) -> Result<Answer<Acknowledgement>> {
        self.0.accounts.prove(&call, &body.0.into()).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// One's second factor.
    #[oai(path = "/second-factor", method = "get", operation_id = "getSecondFactor")]
    async fn second_factor(&self, call: Call, headers: &HeaderMap) -> Result<Answer<SecondFactorAnswer>> {
        let found = self.0.accounts.second_factor(&call).await?;
        Ok(Answer(convert::second_factor(found, self.0.accounts.are_passkeys_available(host(headers)))))
    }

    /// Begins to set up an authenticator app.
    #[oai(path = "/second-factor/totp/begin", method = "post", operation_id = "beginTotp")]
    async fn begin_totp(&self, call: Call, _body: Body<Empty>) -> Result<Answer<TotpSetupAnswer>> {
        Ok(Answer(convert::totp_setup(self.0.accounts.begin_totp(&call).await?)))
    }

    /// Completes it with the app's first code.
    #[oai(path = "/second-factor/totp/confirm", method = "post", operation_id = "confirmTotp")]
    async fn confirm_totp(&self, call: Call, body: Body<ConfirmTotp>) -> Result<Answer<TotpConfirmedAnswer>> {
        let recovery_codes = self.0.accounts.confirm_totp(&call, &body.0.code).await?;
        Ok(Answer(TotpConfirmedAnswer { recovery_codes }))
    }

    /// Removes the authenticator app.
    #[oai(path = "/second-factor/totp/remove", method = "post", operation_id = "removeTotp")]
    async fn remove_totp(&self, call: Call, _body: Body<Empty>) -> Result<Answer<Acknowledgement>> {
        self.0.accounts.remove_totp(&call).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// Makes ten new recovery codes; those before are no longer good.
    #[oai(path = "/second-factor/recovery-codes", method = "post", operation_id = "renewRecoveryCodes")]
    async fn renew_recovery_codes(&self, call: Call, _body: Body<Empty>) -> Result<Answer<RecoveryCodesAnswer>> {
        let recovery_codes = self.0.accounts.renew_recovery_codes(&call).await?;
        Ok(Answer(RecoveryCodesAnswer { recovery_codes }))
    }
}
