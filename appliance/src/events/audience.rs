//! Who may see a private event: its host, and who has signed up. Admins see all.

use std::collections::HashSet;

use morpion_rules::UserId;
use parking_lot::RwLock;

use crate::caller::Caller;

#[derive(Debug)]
pub struct Audience(RwLock<HashSet<UserId>>);

impl Audience {
    pub fn of(users: impl IntoIterator<Item = UserId>) -> Self {
        Self(RwLock::new(users.into_iter().collect()))
    }

    pub fn has(&self, caller: &Caller) -> bool {
        caller.is_admin() || caller.user_id().is_some_and(|user| self.has_user(user))
    }

    pub fn has_user(&self, user: UserId) -> bool {
        self.0.read().contains(&user)
    }

    pub(super) fn add(&self, user: UserId) {
        self.0.write().insert(user);
    }

    pub(super) fn remove(&self, user: UserId) {
        self.0.write().remove(&user);
    }
}
