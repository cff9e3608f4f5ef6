//! Pro granted by an operator: with a reason, and with or without an end.

use chrono::{DateTime, Utc};
use morpion_openapi::{PageRequest, Pagination, admin as wire};
use morpion_rules::UserId;
use morpion_store::{BillingAccount, BillingEvent, GrantRow, User};
use uuid::Uuid;

use super::{Billing, entitlement, ledger};
use crate::{
    account::profile,
    error::ApiError,
    people::{PublicProfile, Width},
};

/// The longest reason, in characters; it is stored in the audit trail.
const MAX_REASON: usize = 500;

impl Billing {
    /// Grants Pro to an account, replacing an earlier grant.
    ///
    /// # Errors
    /// 409 for guests, 422 for an end in the past or an invalid reason.
    pub async fn grant(
        &self,
        user: &User,
        until: Option<DateTime<Utc>>,
        reason: &str,
        actor: String,
    ) -> Result<(), ApiError> {
        let (reason, now) = (check_reason(reason)?, self.now());
        if user.is_temp {
            return Err(ApiError::conflict("guest", "A guest cannot have Pro."));
        }
        if until.is_some_and(|until| until <= now) {
            return Err(ApiError::invalid("until", "The end has to be in the future."));
        }
        let _lock = self.lock_account(UserId(user.id)).await?;
        let mut account = self.account(UserId(user.id)).await?;
        let end =
            until.map_or_else(|| "without an end".to_owned(), |until| format!("until {}", until.format("%F %R UTC")));
        let detail = format!("{end}, by {actor}: {reason}");
        account.grant = Some(GrantRow { until, reason, actor, at: now });
        let entry = ledger::entry(format!("granted:{}", Uuid::new_v4()), "granted", detail, now);
        self.save(&mut account, &[entry], None).await
    }

    /// Revokes a grant. A paid subscription stays.
    ///
    /// # Errors
    /// 409 without a grant, 422 for an invalid reason.
    pub async fn revoke(&self, user: UserId, reason: &str, actor: &str) -> Result<(), ApiError> {
        let (reason, now) = (check_reason(reason)?, self.now());
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        if account.grant.take().is_none_or(|grant| grant.until.is_some_and(|until| until <= now)) {
            let text = "Nothing was granted to this account. A subscription is cancelled by whoever pays for it.";
            return Err(ApiError::conflict("not-granted", text));
        }
        let detail = format!("by {actor}: {reason}");
        let entry = ledger::entry(format!("revoked:{}", Uuid::new_v4()), "revoked", detail, now);
        self.save(&mut account, &[entry], None).await
    }

    /// All users who pay, paid, or were granted Pro.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn list(&self, page: PageRequest) -> Result<(Vec<wire::UserSubscription>, Pagination), ApiError> {
        let (accounts, total) = self.store.billing_page(page.offset(), page.limit as usize).await?;
        let ids: Vec<Uuid> = accounts.iter().map(|account| account.user_id).collect();
        let users = self.store.users(&ids).await?;
        let now = self.now();
        let listed = accounts.iter().filter_map(|account| {
            let user = users.iter().find(|user| user.id == account.user_id)?;
            Some(to_wire(account, user, now))
        });
        Ok((listed.collect(), page.pagination(total)))
    }

    /// The ledger of one user or of all, the newest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn events(
        &self,
        user: Option<Uuid>,
        page: PageRequest,
    ) -> Result<(Vec<wire::BillingEvent>, Pagination), ApiError> {
        let limit = page.limit as usize;
        let (events, total) = match user {
            Some(user) => {
                let skip = usize::try_from(page.offset()).unwrap_or(usize::MAX - limit);
                self.store.billing_events_of(user, skip, limit).await?
            }
            None => self.store.billing_events(page.offset(), limit).await?,
        };
        Ok((events.into_iter().map(event_to_wire).collect(), page.pagination(total)))
    }
}

fn to_wire(account: &BillingAccount, user: &User, now: DateTime<Utc>) -> wire::UserSubscription {
    let row = account.subscription.as_ref();
    let PublicProfile { username, display_name, profile_url } = PublicProfile::of(user, Width::Row);
    wire::UserSubscription {
        user_id: user.id,
        username,
        display_name,
        profile_url,
        is_pro_user: profile::is_pro(user, now),
        status: row.map(|row| row.status.clone()),
        provider_id: row.map(|row| row.id.clone()),
        subscription: entitlement::to_wire(account, now),
        reason: account.grant.as_ref().map(|grant| grant.reason.clone()),
    }
}

fn event_to_wire(event: BillingEvent) -> wire::BillingEvent {
    wire::BillingEvent {
        billing_event_id: event.id.to_string(),
        user_id: Some(event.user_id),
        kind: event.kind,
        detail: event.detail,
        at: event.at.into(),
    }
}

fn check_reason(reason: &str) -> Result<String, ApiError> {
    let reason = reason.trim();
    if reason.is_empty() || reason.chars().count() > MAX_REASON || reason.chars().any(char::is_control) {
        return Err(ApiError::invalid("reason", format!("A reason of 1 to {MAX_REASON} characters is needed.")));
    }
    Ok(reason.to_owned())
}
