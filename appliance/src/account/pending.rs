//! Sign-ins that wait for the second factor, or for a proof that a provider's identity may be linked to an admin's
//! account: `docs/behaviour/accounts.md#second-factor`. They are kept in memory, bound to the device cookie.

use chrono::TimeDelta;
use morpion_rules::UserId;
use morpion_store::{AdminClaim, Credentials, ProviderLink, SecondFactor, StoreError, Unique, User};
use uuid::Uuid;

use super::{
    Accounts,
    error::AccountError,
    limits::RateLimit,
    proof::{Proof, ProofMethod, ProofOptions},
    provider_sign_in::ProviderSignIn,
    session::IssuedSession,
    sign_in::Browser,
    token,
};
use crate::caller::Call;

/// How long a sign-in waits.
pub(super) const PENDING_LIFE: TimeDelta = TimeDelta::minutes(10);

/// Tries before it ends.
const MAX_TRIES: u32 = 5;

/// A sign-in that is complete but for the second factor.
#[derive(Debug, Clone)]
pub(super) struct PendingSignIn {
    /// Whose, and what the first half was checked against.
    checked: Credentials,
    /// The guest's games move to the account.
    keep_guest_games: bool,
    /// The provider's identity that is linked to the account then.
    link: Option<ProviderLink>,
    /// The admin rights that the provider's claim gives then.
    claim: Option<AdminClaim>,
    tries: u32,
}

impl PendingSignIn {
    /// Whether it gives this account admin rights by a claim of this provider.
    pub(super) fn claims_rights(&self, user_id: Uuid, issuer: &str) -> bool {
        self.checked.user_id == user_id && self.claim.as_ref().is_some_and(|claim| claim.iss == issuer)
    }
}

impl Accounts {
    /// Signs in, unless the account has a second factor: then the sign-in waits for it.
    ///
    /// # Errors
    /// [`AccountError::SecondFactorRequired`].
    pub(super) async fn sign_in_or_wait(
        &self,
        call: &Call,
        browser: &Browser,
        user: &User,
        keep_guest_games: bool,
        method: ProofMethod,
    ) -> Result<IssuedSession, AccountError> {
        if user.second_factor {
            return Err(self.wait_for_proof(browser, user, keep_guest_games, None, None));
        }
        self.begin_session(call, browser, user, Some(method)).await
    }

    /// Keeps a sign-in until it is proved.
    pub(super) fn wait_for_proof(
        &self,
        browser: &Browser,
        user: &User,
        keep_guest_games: bool,
        link: Option<ProviderLink>,
        claim: Option<AdminClaim>,
    ) -> AccountError {
        let pending = PendingSignIn { checked: user.credentials(), keep_guest_games, link, claim, tries: 0 };
        self.pending.insert(token::hash(&browser.device), pending, self.clock.steady());
        AccountError::SecondFactorRequired
    }

    /// Forgets the pending sign-ins of an account, whose credentials were changed: they could not be completed any more.
    pub(super) fn end_pending(&self, user_id: UserId) {
        self.pending.remove_all(|pending| pending.checked.user_id == user_id.0);
    }

    /// What the pending sign-in of this browser can be completed with.
    ///
    /// # Errors
    /// [`AccountError::SignInExpired`] without one, [`CommonError::TooMany`](crate::error::CommonError::TooMany).
    pub async fn pending_options(&self, call: &Call, browser: &Browser) -> Result<ProofOptions, AccountError> {
        let key = token::hash(&browser.device);
        let Some(pending) = self.pending.with(&key, self.clock.steady(), |pending| pending.clone()) else {
            self.limits().check(RateLimit::SignIn, call.address)?;
            return Err(AccountError::SignInExpired);
        };
        let (user, factor) = self.pending_account(&pending).await?;
        self.admit_sign_in(call, browser, Some(&user)).await?;
        self.options_for(&user, &factor, self.pending_methods(&user, &factor), &ceremony(&key))
    }

    /// Completes the pending sign-in of this browser.
    ///
    /// # Errors
    /// [`AccountError::SignInExpired`] without one; [`AccountError::WrongProof`],
    /// [`AccountError::TooManyFailedSignIns`], [`CommonError::TooMany`](crate::error::CommonError::TooMany).
    pub async fn finish_pending(
        &self,
        call: &Call,
        browser: &Browser,
        proof: &Proof,
    ) -> Result<ProviderSignIn, AccountError> {
        let key = token::hash(&browser.device);
        // It counts before it is checked, so that parallel tries cannot evade the limit.
        let pending = self.pending.with(&key, self.clock.steady(), |pending| {
            pending.tries += 1;
            pending.clone()
        });
        let pending = pending.filter(|pending| pending.tries <= MAX_TRIES).ok_or(AccountError::SignInExpired)?;
        let (user, factor) = self.pending_account(&pending).await?;
        let methods = self.pending_methods(&user, &factor);
        let source = self.admit_sign_in(call, browser, Some(&user)).await?;
        self.check_proof(call, source, &user, proof, &methods, &ceremony(&key)).await?;
        // Once, also for two right proofs at the same time.
        let pending = self.pending.take(&key, self.clock.steady()).ok_or(AccountError::SignInExpired)?;
        if pending.checked != user.credentials() {
            return Err(AccountError::SignInExpired);
        }
        let mut user = user;
        if let Some(link) = pending.link {
            let issuer = link.iss.clone();
            let linked = self.store.link_provider(pending.checked, link).await.map_err(|error| match error {
                StoreError::Taken(Unique::Provider) | StoreError::CredentialsChanged => AccountError::SignInExpired,
                error => error.into(),
            })?;
            self.sessions.invalidate(UserId(user.id));
            user = self.user_with(linked).await?;
            if pending.claim.is_none() {
                user = self.end_claim_of(call, user, &issuer).await?;
            }
        }
        let user = self.grant_by_claim(call, user, pending.claim).await?;
        let issued = self.begin_session(call, browser, &user, Some(proof.method()?)).await?;
        Ok(ProviderSignIn { user, issued, is_new: false, keep_guest_games: pending.keep_guest_games })
    }

    /// The account, unless it was deleted or its credentials were changed meanwhile.
    async fn pending_account(&self, pending: &PendingSignIn) -> Result<(User, SecondFactor), AccountError> {
        let user = self.user(UserId(pending.checked.user_id)).await.map_err(|_| AccountError::SignInExpired)?;
        if user.credentials() != pending.checked || (!user.second_factor && pending.link.is_none()) {
            return Err(AccountError::SignInExpired);
        }
        let factor = self.store.second_factor(user.id).await?;
        Ok((user, factor))
    }

    /// A second factor is asked for where there is one; the password proves a link to an account without.
    fn pending_methods(&self, user: &User, factor: &SecondFactor) -> Vec<ProofMethod> {
        if user.second_factor { self.factor_methods(factor) } else { vec![ProofMethod::Password] }
    }
}

fn ceremony(device: &str) -> String {
    format!("second factor of {device}")
}
