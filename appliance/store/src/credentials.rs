//! The versions of an account's credentials, two fields of `user`: `credential_version`, which every change of what its
//! owner signs in or recovers with replaces, and `session_version`, which everything that ends its sessions replaces. A
//! write that follows a check carries the version that was checked, and is refused once it is another.

use surrealdb::types::Variables;
use uuid::Uuid;

use crate::User;
use crate::user::user_record;

/// Refuses unless the account `$id` exists and, where `$checked` is given, its credentials are those that were checked. A
/// repetition of a write that sets `$changed` finds that instead.
pub(crate) const UNCHANGED: &str = "LET $account = (SELECT * FROM ONLY $id); \
    IF $account = NONE OR $account.deleted_at != NONE { THROW 'morpion:no-user' }; \
    IF $compare AND $account.credential_version != $checked AND $account.credential_version != $changed { \
        THROW 'morpion:credentials-changed' };";

/// Writes the account `$id`, so that what changes it at the same time comes before or after. A record that stays as it was
/// would not be written.
pub(crate) const IN_ORDER: &str = "UPDATE $id SET in_order = rand::uuid() RETURN NONE;";

/// Refuses guests, after [`UNCHANGED`].
pub(crate) const NO_GUEST: &str = "IF $account.is_temp { THROW 'morpion:no-user' };";

/// The account and its credentials as they were when somebody's right to act was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Credentials {
    pub user_id: Uuid,
    /// `None` before the first change.
    pub version: Option<Uuid>,
}

impl User {
    /// What a check of this account's password, second factor or provider holds for.
    pub fn credentials(&self) -> Credentials {
        Credentials { user_id: self.id, version: self.credential_version }
    }
}

/// What [`UNCHANGED`] asks for, for an act that somebody's check allowed, and `$changed`, the version after it.
pub(crate) fn checked(credentials: Credentials) -> Variables {
    changing(credentials).0
}

/// As [`checked`], with the credentials after an act that sets `$changed`: what follows it holds for these.
pub(crate) fn changing(credentials: Credentials) -> (Variables, Credentials) {
    variables(credentials.user_id, Some(credentials))
}

/// As [`checked`], for an act that depends on no check of the account's own credentials.
pub(crate) fn unchecked(user_id: Uuid) -> Variables {
    variables(user_id, None).0
}

pub(crate) fn variables(user_id: Uuid, checked: Option<Credentials>) -> (Variables, Credentials) {
    let changed = Uuid::new_v4();
    let variables = surrealdb::types::vars! {
        id: user_record(user_id),
        uid: user_id,
        compare: checked.is_some(),
        checked: checked.and_then(|credentials| credentials.version),
        changed: changed,
    };
    (variables, Credentials { user_id, version: Some(changed) })
}
