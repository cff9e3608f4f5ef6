//! Who has to have a second factor: `identity.require_second_factor`.

use std::sync::atomic::{AtomicBool, Ordering};

use morpion_rules::UserId;
use morpion_store::{Store, User};

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

    /// An account got or lost its second factor, or its admin rights: whoever may act as an admin changed.
    pub(super) async fn second_factor_changed(&self, user: &User) -> Result<(), AccountError> {
        let now = self.clock.steady();
        let has = self.store.has_admin_with_second_factor().await?;
        let had = self.required_factor.has_admin_with_one.swap(has, Ordering::Relaxed);
        if has != had && self.required_factor.rule == RequireSecondFactor::Auto {
            for admin in self.store.admins().await? {
                self.sessions.role_changed(UserId(admin.id), now).await?;
            }
        } else if user.is_admin {
            self.sessions.role_changed(UserId(user.id), now).await?;
        }
        self.sessions.invalidate(UserId(user.id));
        Ok(())
    }
}

/// Not under `/api/auth`, and about the own account or for the log.
const FREE_PATHS: [&str; 3] = ["/api/backend/delete/account", "/api/backend/logger", "/api/backend/v1/log/data"];
