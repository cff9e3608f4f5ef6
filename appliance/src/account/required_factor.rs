//! Who has to have a second factor: `identity.require_second_factor`.

use std::sync::atomic::{AtomicBool, Ordering};

use morpion_rules::UserId;
use morpion_store::{Store, User};
use uuid::Uuid;

use super::{Accounts, error::AccountError};
use crate::{caller::Identity, config::RequireSecondFactor, error::CommonError};

/// The rule, and what it depends on.
#[derive(Debug)]
pub struct RequiredFactor {
    rule: RequireSecondFactor,
    has_admin_with_one: AtomicBool,
}

impl RequiredFactor {
    pub async fn new(rule: RequireSecondFactor, store: &Store) -> anyhow::Result<Self> {
        Ok(Self { rule, has_admin_with_one: AtomicBool::new(store.has_admin_with_second_factor().await?) })
    }

    /// Whether this account has to have one.
    pub fn asks(&self, user: &User) -> bool {
        match self.rule {
            RequireSecondFactor::Nobody => false,
            RequireSecondFactor::Everybody => !user.is_temp,
            RequireSecondFactor::Admins => user.is_admin,
            RequireSecondFactor::Auto => user.is_admin && self.has_admin_with_one.load(Ordering::Relaxed),
        }
    }

    /// Whether this account has to have one and has none.
    pub fn is_missing(&self, user: &User) -> bool {
        !user.second_factor && self.asks(user)
    }
}

impl Accounts {
    /// Where everybody needs a second factor, whoever has none can read and manage the own account, no more.
    ///
    /// # Errors
    /// [`CommonError::SecondFactorNeeded`].
    pub(super) fn check_required_factor(&self, identity: &Identity, path: &str) -> Result<(), CommonError> {
        let is_free = path.starts_with("/api/auth/") || FREE_PATHS.contains(&path);
        match self.required_factor.rule {
            RequireSecondFactor::Everybody if identity.needs_second_factor && !is_free => {
                Err(CommonError::SecondFactorNeeded)
            }
            _ => Ok(()),
        }
    }

    /// An account, which is passed as it was before, may have got or lost its second factor.
    pub(super) async fn second_factor_changed(&self, before: &User) -> Result<(), AccountError> {
        let user_id = UserId(before.id);
        // At once, whatever fails after it.
        self.sessions.invalidate(user_id);
        let was_missing = self.required_factor.is_missing(before);
        let others = self.admins_changed(before.id).await;
        if self.required_factor.is_missing(&self.user(user_id).await?) == was_missing {
            self.sessions.invalidate(user_id);
        } else {
            // Not as a change of role: the page that loads again would not show its new recovery codes.
            self.sessions.rights_changed(user_id, self.clock.steady()).await?;
        }
        others
    }

    /// An account got or lost its second factor, or its admin rights: whether the other admins need one may have changed.
    pub(super) async fn admins_changed(&self, account: Uuid) -> Result<(), AccountError> {
        let has = self.store.has_admin_with_second_factor().await?;
        let had = self.required_factor.has_admin_with_one.swap(has, Ordering::Relaxed);
        if has == had || self.required_factor.rule != RequireSecondFactor::Auto {
            return Ok(());
        }
        for admin in self.store.admins().await?.iter().filter(|admin| admin.id != account) {
            self.sessions.rights_changed(UserId(admin.id), self.clock.steady()).await?;
        }
        Ok(())
    }
}

/// Not under `/api/auth`, and about the own account or for the log.
const FREE_PATHS: [&str; 5] = [
    "/api/backend/delete/account",
    "/api/backend/logger",
    "/api/backend/logger/log",
    "/api/backend/logger/bulkLog",
    "/api/backend/v1/log/data",
];
