//! Pro granted by an operator: with a reason, and with or without an end.

use chrono::{DateTime, Utc};
use morpion_rules::UserId;
use morpion_store::{AuditEntry, BillingAccount, BillingEvent, GrantRow, User};
use uuid::Uuid;

use super::{Billing, error::BillingError, ledger};
use crate::{error::CommonError, fields};

impl Billing {
    /// Grants Pro to an account, replacing an earlier grant.
    ///
    /// # Errors
    /// [`BillingError::GuestWithPro`]; [`CommonError::Invalid`] for an end in the past or an invalid reason.
    pub async fn grant(
        &self,
        user: &User,
        until: Option<DateTime<Utc>>,
        reason: &str,
        audit: AuditEntry,
    ) -> Result<(), BillingError> {
        let (reason, now) = (check_reason(reason)?, self.now());
        if user.is_temp {
            return Err(BillingError::GuestWithPro);
        }
        let until = fields::end(until, now).map_err(|why| CommonError::invalid("until", why))?;
        let _lock = self.lock_account(UserId(user.id)).await?;
        let mut account = self.account(UserId(user.id)).await?;
        let end =
            until.map_or_else(|| "without an end".to_owned(), |until| format!("until {}", until.format("%F %R UTC")));
        let detail = format!("{end}, by {}: {reason}", audit.actor);
        account.grant = Some(GrantRow { until, reason, actor: audit.actor.clone(), at: now });
        let entry = ledger::entry(format!("granted:{}", Uuid::new_v4()), "granted", detail, now);
        self.save_in(&self.store.audited(audit), &mut account, &[entry], None).await
    }

    /// Revokes a grant. A paid subscription stays.
    ///
    /// # Errors
    /// [`BillingError::NotGranted`]; [`CommonError::Invalid`] for an invalid reason.
    pub async fn revoke(&self, user: UserId, reason: &str, audit: AuditEntry) -> Result<(), BillingError> {
        let (reason, now) = (check_reason(reason)?, self.now());
        let _lock = self.lock_account(user).await?;
        let mut account = self.account(user).await?;
        if account.grant.take().is_none_or(|grant| grant.until.is_some_and(|until| until <= now)) {
            return Err(BillingError::NotGranted);
        }
        let detail = format!("by {}: {reason}", audit.actor);
        let entry = ledger::entry(format!("revoked:{}", Uuid::new_v4()), "revoked", detail, now);
        self.save_in(&self.store.audited(audit), &mut account, &[entry], None).await
    }

    /// Some of all users who pay, paid, or were granted Pro, with how many there are.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn list(&self, skip: u64, limit: usize) -> Result<(Vec<(User, BillingAccount)>, u64), BillingError> {
        let (accounts, total) = self.store.billing_page(skip, limit).await?;
        let ids: Vec<Uuid> = accounts.iter().map(|account| account.user_id).collect();
        let users = self.store.users(&ids).await?;
        let listed = accounts.into_iter().filter_map(|account| {
            let user = users.iter().find(|user| user.id == account.user_id)?;
            Some((user.clone(), account))
        });
        Ok((listed.collect(), total))
    }

    /// Some of the ledger's entries, of one user or of all, the newest first, with how many there are.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn events(
        &self,
        user: Option<UserId>,
        skip: u64,
        limit: usize,
    ) -> Result<(Vec<BillingEvent>, u64), BillingError> {
        Ok(match user {
            Some(user) => {
                let skip = usize::try_from(skip).unwrap_or(usize::MAX - limit);
                self.store.billing_events_of(user.0, skip, limit).await?
            }
            None => self.store.billing_events(skip, limit).await?,
        })
    }
}

fn check_reason(reason: &str) -> Result<String, CommonError> {
    fields::reason(reason).map_err(|why| CommonError::invalid("reason", why))
}
