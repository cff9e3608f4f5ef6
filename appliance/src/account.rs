//! Accounts: who somebody is, how they prove it, and for how long.

use std::sync::Arc;

use morpion_rules::UserId;
use uuid::Uuid;

use crate::http::Fault;

/// Who calls, as the session or the operator token says; never as a payload says.
#[derive(Debug, Clone)]
pub enum Caller {
    Visitor,
    User(Arc<Identity>),
    /// An operator token: may administrate, but is nobody, so can neither play nor join.
    Operator(Arc<Operator>),
}

/// A signed-in person.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    pub user_id: UserId,
    pub username: String,
    pub is_admin: bool,
    /// A guest.
    pub is_temp: bool,
    /// Names the session, and survives its rotations.
    pub session_id: Uuid,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Operator {
    pub token_id: Uuid,
    pub name: String,
}

impl Caller {
    /// The signed-in person.
    ///
    /// # Errors
    /// 401 for a visitor, 403 for an operator token.
    pub fn user(&self) -> Result<&Arc<Identity>, Fault> {
        match self {
            Self::User(identity) => Ok(identity),
            Self::Visitor => Err(Fault::not_signed_in()),
            Self::Operator(_) => Err(Fault::forbidden("An operator token can neither play nor join.")),
        }
    }

    /// The signed-in person, whom the payload may also name.
    ///
    /// # Errors
    /// As [`Caller::user`], and 403 when the payload names somebody else, for admins too.
    pub fn acting(&self, named: Option<Uuid>) -> Result<&Arc<Identity>, Fault> {
        let identity = self.user()?;
        match named {
            Some(id) if id != identity.user_id.0 => Err(Fault::not_yourself()),
            _ => Ok(identity),
        }
    }

    /// # Errors
    /// 401 for a visitor, 403 unless an admin or an operator token calls.
    pub fn admin(&self) -> Result<(), Fault> {
        match self {
            Self::Visitor => Err(Fault::not_signed_in()),
            _ if self.is_admin() => Ok(()),
            _ => Err(Fault::forbidden("Only for admins.")),
        }
    }

    pub fn is_admin(&self) -> bool {
        match self {
            Self::Visitor => false,
            Self::User(identity) => identity.is_admin,
            Self::Operator(_) => true,
        }
    }

    /// The person's id; `None` for visitors and operator tokens.
    pub fn user_id(&self) -> Option<UserId> {
        match self {
            Self::User(identity) => Some(identity.user_id),
            _ => None,
        }
    }

    /// How the audit trail names the caller.
    pub fn audit_name(&self) -> String {
        match self {
            Self::Visitor => "visitor".to_owned(),
            Self::User(identity) => identity.user_id.to_string(),
            Self::Operator(operator) => format!("token:{}", operator.name),
        }
    }
}
