//! Admin rights by a provider's claim, `admin_groups` of a provider: `docs/behaviour/accounts.md#admins-by-a-claim`. They are stored
//! apart from the rights of promoted admins. They end 24 hours after the last sign-in that brought the claim; a sign-in that lacks
//! it ends them at once, with every session.

use chrono::TimeDelta;
use morpion_rules::UserId;
use morpion_store::{AdminClaim, AuditEntry, ProviderLink, Store, User};
use serde_json::json;

use super::{
    Accounts,
    error::AccountError,
    provider::Claims,
    security_events::{Outcome, SecurityEvent, SecuritySubject},
};
use crate::caller::Call;

/// How long the rights last after a sign-in.
const LIFE: TimeDelta = TimeDelta::hours(24);

impl Accounts {
    /// The rights that a sign-in brings, if any.
    pub(super) fn admin_claim(&self, claims: &Claims) -> Option<AdminClaim> {
        let now = self.clock.steady();
        let group = claims.admin_group.clone()?;
        Some(AdminClaim { iss: claims.link.iss.clone(), group, since: now, until: now + LIFE })
    }

    /// Makes the account an admin by the claim, once the sign-in is complete; a promoted admin stays one. Returns the changed
    /// account.
    ///
    /// # Errors
    /// [`AccountError::Suspended`], [`CommonError::CredentialsChanged`](crate::error::CommonError::CredentialsChanged).
    pub(super) async fn grant_by_claim(
        &self,
        call: &Call,
        user: User,
        claim: Option<AdminClaim>,
    ) -> Result<User, AccountError> {
        let Some(claim) = claim.filter(|_| !user.is_admin || user.admin_claim.is_some()) else { return Ok(user) };
        self.check_suspension(&user)?;
        let now = self.clock.steady();
        // Sessions that have the rights keep them. Older ones do not get them, also those begun while this sign-in waited.
        let before = user.admin_claim.as_ref().filter(|before| before.iss == claim.iss && before.until > now);
        let claim = AdminClaim { since: before.map_or(now, |before| before.since), ..claim };
        let store = self.audited_claim("grant_admin_by_claim", &user, &claim, call.address.to_string());
        let changed = store.grant_by_claim(user.credentials(), claim).await?;
        self.sessions.invalidate(UserId(user.id));
        if !user.is_admin {
            self.role_changed_by_claim(&user).await?;
            let subject = SecuritySubject::User(UserId(user.id));
            self.log_security_event(call, SecurityEvent::RoleChange, Outcome::Succeeded, subject);
        }
        self.user_with(changed).await
    }

    /// Ends rights by a claim of this provider, with the sessions of the account: a sign-in with it lacked the claim. Returns
    /// the account as it is then.
    pub(super) async fn end_claim_of(&self, call: &Call, user: User, issuer: &str) -> Result<User, AccountError> {
        // Also those that would be given once a sign-in that waits is proved.
        self.pending.remove_all(|pending| pending.claims_rights(user.id, issuer));
        let Some(claim) = user.admin_claim.clone().filter(|claim| claim.iss == issuer) else { return Ok(user) };
        let store = self.audited_claim("end_admin_by_claim", &user, &claim, call.address.to_string());
        store.end_admin_claim(user.id, claim, true).await?;
        self.end_pending(UserId(user.id));
        self.sessions.have_ended(UserId(user.id), None).await?;
        self.admins_changed(user.id).await?;
        let subject = SecuritySubject::User(UserId(user.id));
        self.log_security_event(call, SecurityEvent::RoleChange, Outcome::Succeeded, subject);
        self.user(UserId(user.id)).await
    }

    /// As [`Accounts::end_claim_of`], for the account linked to an identity that may no longer sign in.
    pub(super) async fn end_claim_of_link(&self, call: &Call, link: &ProviderLink) -> Result<(), AccountError> {
        match self.store.user_by_provider(link).await? {
            Some(user) => self.end_claim_of(call, user, &link.iss).await.map(drop),
            None => Ok(()),
        }
    }

    /// Ends the rights by claims whose time is over, whose group gives none any more, or whose link is gone. Their sessions go
    /// on without them.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn end_admin_claims(&self) -> Result<(), AccountError> {
        let now = self.clock.steady();
        for user in self.store.admins().await? {
            let gives = |claim: &AdminClaim| {
                let is_linked = user.providers.iter().any(|link| link.iss == claim.iss);
                is_linked && self.providers().any(|provider| provider.grants(claim))
            };
            let Some(claim) = user.admin_claim.clone().filter(|claim| claim.until <= now || !gives(claim)) else {
                continue;
            };
            let store = self.audited_claim("end_admin_by_claim", &user, &claim, "server".to_owned());
            store.end_admin_claim(user.id, claim, false).await?;
            self.role_changed_by_claim(&user).await?;
        }
        Ok(())
    }

    async fn role_changed_by_claim(&self, user: &User) -> Result<(), AccountError> {
        self.sessions.role_changed(UserId(user.id), self.clock.steady()).await?;
        self.admins_changed(user.id).await
    }

    /// The provider changes the account's rights, by a sign-in of its owner.
    fn audited_claim(&self, action: &str, user: &User, claim: &AdminClaim, address: String) -> Store {
        self.store.audited(AuditEntry {
            actor: user.id.to_string(),
            action: action.to_owned(),
            target: user.id.to_string(),
            address,
            at: self.clock.wall(),
            detail: json!({ "username": user.username, "issuer": claim.iss, "until": claim.until }),
            by: None,
        })
    }
}
