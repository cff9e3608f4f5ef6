//! Who makes a request, and from where.

use std::sync::Arc;

use morpion_rules::UserId;
use morpion_store::{ActsBy, Credentials};
use uuid::Uuid;

use crate::{
    error::CommonError,
    scope::{Needed, NeededOfProgram, ProgramScope, TokenScope},
    subject::ClientAddress,
};

/// A request's id, which the log and the error message of the response carry.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// A request, as the identifying middleware saw it.
#[derive(Debug, Clone)]
pub struct Call {
    pub caller: Caller,
    /// The client's address, from a trusted proxy's header where there is one.
    pub address: ClientAddress,
    pub request_id: String,
}

/// The caller according to the session or the token, never to the payload.
#[derive(Debug, Clone)]
pub enum Caller {
    Visitor,
    User(Arc<Identity>),
    /// An operator token: has admin rights but is not a user, so it can neither play nor join.
    Operator(Arc<Operator>),
}

/// A person: signed in, or represented by a program that has their personal token.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    pub user_id: UserId,
    pub username: String,
    /// Never with a personal token: an admin's is a player's.
    pub is_admin: bool,
    /// A guest.
    pub is_temp: bool,
    /// Identifies the session, across its rotations, or the personal token.
    pub session_id: Uuid,
    /// The server asks this account for a second factor, and it has none.
    pub needs_second_factor: bool,
    /// The account's credentials when the request was identified.
    pub credential_version: Option<Uuid>,
    /// What the personal token may do; `None` in a session.
    pub scopes: Option<Vec<ProgramScope>>,
}

impl Identity {
    /// Whether a program calls, with a personal token.
    pub fn is_program(&self) -> bool {
        self.scopes.is_some()
    }

    /// What this request may change credentials by: refused once they are others.
    pub fn credentials(&self) -> Credentials {
        Credentials { user_id: self.user_id.0, version: self.credential_version }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Operator {
    pub token_id: Uuid,
    pub name: String,
    pub scope: TokenScope,
}

impl Operator {
    fn may(&self, needed: TokenScope) -> bool {
        self.scope == TokenScope::All || needed == TokenScope::Read || self.scope == needed
    }
}

impl Caller {
    /// The signed-in person.
    ///
    /// # Errors
    /// 401 for a visitor, 403 for an operator token.
    pub fn user(&self) -> Result<&Arc<Identity>, CommonError> {
        match self {
            Self::User(identity) => Ok(identity),
            Self::Visitor => Err(CommonError::NotSignedIn),
            Self::Operator(_) => Err(CommonError::forbidden("An operator token can neither play nor join.")),
        }
    }

    /// The id of the session or the token.
    pub fn credential_id(&self) -> Option<Uuid> {
        match self {
            Self::Visitor => None,
            Self::User(identity) => Some(identity.session_id),
            Self::Operator(operator) => Some(operator.token_id),
        }
    }

    /// The signed-in person, whom the payload may also name.
    ///
    /// # Errors
    /// As [`Caller::user`], and 403 when the payload names somebody else, for admins too.
    pub fn acting(&self, named: Option<Uuid>) -> Result<&Arc<Identity>, CommonError> {
        let identity = self.user()?;
        match named {
            Some(id) if id != identity.user_id.0 => Err(CommonError::NotYourself),
            _ => Ok(identity),
        }
    }

    /// As [`Caller::acting`], for what guests cannot do: they practise and play invite games, no more.
    ///
    /// # Errors
    /// As there, and 403 `guest`.
    pub fn member(&self, named: Option<Uuid>) -> Result<&Arc<Identity>, CommonError> {
        let identity = self.acting(named)?;
        if identity.is_temp {
            return Err(CommonError::Guest);
        }
        Ok(identity)
    }

    /// Any caller except visitors.
    ///
    /// # Errors
    /// 401.
    pub fn signed_in(&self) -> Result<(), CommonError> {
        match self {
            Self::Visitor => Err(CommonError::NotSignedIn),
            Self::User(_) | Self::Operator(_) => Ok(()),
        }
    }

    /// As [`Caller::acting`] for a read that operator tokens may make too.
    ///
    /// # Errors
    /// As there, except that a token is allowed if the payload names no user.
    pub fn acting_or_nobody(&self, named: Option<Uuid>) -> Result<(), CommonError> {
        match (self, named) {
            (Self::Operator(_), None) => Ok(()),
            _ => self.acting(named).map(drop),
        }
    }

    /// For calls that need this scope of a token; sessions have none.
    ///
    /// # Errors
    /// 403 `scope`.
    pub fn has_scope(&self, needed: Needed) -> Result<(), CommonError> {
        match self {
            Self::Operator(operator) if !operator.may(needed.operator) => {
                Err(CommonError::Scope { has: operator.scope, needed: needed.operator })
            }
            Self::User(identity) => match (&identity.scopes, needed.program) {
                (Some(_), NeededOfProgram::Never) => Err(CommonError::NotByProgram),
                (Some(scopes), NeededOfProgram::Scope(scope)) if !scopes.contains(&scope) => {
                    Err(CommonError::ProgramScope(scope))
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Whether a program calls, with somebody's personal token.
    pub fn is_program(&self) -> bool {
        matches!(self, Self::User(identity) if identity.is_program())
    }

    /// # Errors
    /// 401 for a visitor, 403 `second-factor-needed`, 403 unless an admin or an operator token calls.
    pub fn admin(&self) -> Result<(), CommonError> {
        match self {
            Self::Visitor => Err(CommonError::NotSignedIn),
            _ if self.is_admin() => Ok(()),
            Self::User(identity) if identity.is_admin => Err(CommonError::SecondFactorNeeded),
            _ => Err(CommonError::forbidden("Only for admins.")),
        }
    }

    /// Whether the caller may act as an admin now.
    pub fn is_admin(&self) -> bool {
        match self {
            Self::Visitor => false,
            Self::User(identity) => identity.is_admin && !identity.needs_second_factor,
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

    /// Whether anybody could be this caller: a visitor or a guest.
    pub fn is_stranger(&self) -> bool {
        match self {
            Self::Visitor => true,
            Self::User(identity) => identity.is_temp,
            Self::Operator(_) => false,
        }
    }

    /// The kind of caller, for the log.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Visitor => "visitor",
            Self::User(identity) if identity.is_program() => "program",
            Self::User(identity) if identity.is_temp => "guest",
            Self::User(_) => "member",
            Self::Operator(_) => "operator",
        }
    }

    /// What has to hold still when an act of the caller is stored.
    pub fn acts_by(&self) -> Option<ActsBy> {
        match self {
            Self::Visitor => None,
            Self::User(identity) => Some(ActsBy::Account(identity.credentials())),
            Self::Operator(operator) => Some(ActsBy::Token(operator.token_id)),
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
