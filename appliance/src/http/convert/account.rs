//! Stored accounts as wire types, and forms from the wire.

use chrono::{DateTime, Utc};
use morpion_openapi::{
    account::{self as wire, LoginRequest, RegisterRequest, SetupRequest},
    admin as wire_admin,
    profile::UserProfile,
    programs as wire_programs,
};
use morpion_store::{AuditCheck, AuditRecord, OperatorToken, PersonalToken, Session, User};
use uuid::Uuid;

use super::moderation::suspension;
use crate::{
    account::{
        operator::scope_of,
        personal_token::scopes_of,
        profile::{is_pro, username_changeable_at},
        provider_sign_in::ButtonCredential,
        sign_in::RegistrationForm,
    },
    error::CommonError,
    people::{Width, picture_address},
};

impl<'a> From<&'a RegisterRequest> for RegistrationForm<'a> {
    fn from(request: &'a RegisterRequest) -> Self {
        Self {
            email: &request.email,
            password: request.password.as_deref().unwrap_or_default(),
            username: request.username.as_deref().unwrap_or_default(),
            first_name: &request.first_name,
            last_name: &request.last_name,
        }
    }
}

impl<'a> From<&'a SetupRequest> for RegistrationForm<'a> {
    fn from(request: &'a SetupRequest) -> Self {
        Self {
            email: &request.email,
            password: &request.password,
            username: &request.username,
            first_name: &request.first_name,
            last_name: &request.last_name,
        }
    }
}

impl From<LoginRequest> for ButtonCredential {
    fn from(request: LoginRequest) -> Self {
        Self {
            credential: request.credential,
            username: request.username,
            keep_guest_games: request.keep_guest_games.unwrap_or(false),
        }
    }
}

impl From<RegisterRequest> for ButtonCredential {
    fn from(request: RegisterRequest) -> Self {
        Self {
            credential: request.credential,
            username: request.username,
            keep_guest_games: request.keep_guest_games.unwrap_or(false),
        }
    }
}

/// An account as its owner sees it.
pub fn own_user(user: &User, now: DateTime<Utc>) -> wire::User {
    wire::User {
        user_id: user.id,
        username: user.username.clone(),
        first_name: user.first_name.clone(),
        last_name: user.last_name.clone(),
        display_name: user.display_name.clone(),
        email: user.email.clone().unwrap_or_default(),
        email_verified: user.email_verified,
        profile: avatar_address(user),
        profile_url: picture_address(user.id, user.avatar.as_deref(), Width::Row),
        is_bot: is_bot(user),
        is_pro_user: is_pro(user, now),
        is_temp_user: user.is_temp,
        is_admin: user.is_admin,
        admin_claim: user
            .admin_claim
            .as_ref()
            .map(|claim| wire::AdminClaim { issuer: claim.iss.clone(), until: claim.until.into() }),
        has_password: user.password_hash.is_some(),
        second_factor: user.second_factor,
        profile_visibility: super::player_page::visibility(user),
        username_changeable_at: username_changeable_at(user).filter(|at| *at > now).map(Into::into),
        may_host: user.may_host.filter(|allowed| *allowed),
        suspension: suspension(user, now),
        rating: None,
        last_seen_at: None,
        created_at: user.created_at.into(),
    }
}

/// An account as others see it.
pub fn profile(user: &User, now: DateTime<Utc>) -> UserProfile {
    UserProfile {
        user_id: user.id,
        username: user.username.clone(),
        display_name: user.display_name.clone(),
        profile: avatar_address(user),
        profile_url: picture_address(user.id, user.avatar.as_deref(), Width::Row),
        is_bot: is_bot(user),
        is_pro_user: is_pro(user, now),
        is_temp_user: user.is_temp,
        blocked_by_me: None,
    }
}

/// True or absent.
fn is_bot(user: &User) -> Option<bool> {
    user.bot_since.map(|_| true)
}

/// The URL of the avatar; empty without one. It changes with the image, so it can be cached indefinitely.
pub fn avatar_address(user: &User) -> String {
    picture_address(user.id, user.avatar.as_deref(), Width::Profile).unwrap_or_default()
}

/// `current` is the caller's session.
pub fn session(session: &Session, current: Option<Uuid>) -> wire::Session {
    wire::Session {
        session_id: session.sid.to_string(),
        device: session.device.clone(),
        address: session.address.clone(),
        created_at: session.created_at.into(),
        last_used_at: session.last_used_at.into(),
        expires_at: session.expires_at.into(),
        is_current: Some(session.sid) == current,
    }
}

/// # Errors
/// The stored scope is unknown.
pub fn operator_token(token: &OperatorToken) -> Result<wire_admin::OperatorToken, CommonError> {
    Ok(wire_admin::OperatorToken {
        token_id: token.id.to_string(),
        name: token.name.clone(),
        scope: scope_of(token)?,
        created_at: token.created_at.into(),
        expires_at: token.expires_at.map(Into::into),
        last_used_at: token.last_used_at.map(Into::into),
    })
}

/// # Errors
/// A stored scope is unknown.
pub fn personal_token(token: &PersonalToken) -> Result<wire_programs::PersonalToken, CommonError> {
    Ok(wire_programs::PersonalToken {
        token_id: token.id.to_string(),
        name: token.name.clone(),
        scopes: scopes_of(token)?,
        created_at: token.created_at.into(),
        expires_at: token.expires_at.into(),
        last_used_at: token.last_used_at.map(Into::into),
    })
}

/// `name` returns the name of the actor, where it is an account; `subject` the kind and the name of the subject.
pub fn audit_check(check: &AuditCheck) -> wire_admin::VerifyAuditAnswer {
    wire_admin::VerifyAuditAnswer {
        entries: check.entries,
        from: check.period.map(|(from, _)| from.into()),
        until: check.period.map(|(_, until)| until.into()),
        head: check.head.clone(),
        broken_at: check.broken.map(|_| check.entries + 1),
        problem: check.broken.map(|broken| broken.to_string()),
    }
}

pub fn audit_entry(
    record: &AuditRecord,
    name: impl Fn(Uuid) -> Option<String>,
    subject: impl Fn(Uuid) -> Option<(wire_admin::AuditSubject, String)>,
) -> wire_admin::AuditEntry {
    let entry = &record.entry;
    let subject = entry.target.parse().ok().and_then(subject);
    // What was deleted since had a name then.
    let called_then = || ["title", "username", "name"].iter().find_map(|key| entry.detail[key].as_str());
    let named = entry.actor.parse().ok().and_then(name);
    wire_admin::AuditEntry {
        audit_id: record.id.to_string(),
        sequence: record.seq,
        actor: named.unwrap_or_else(|| entry.actor.clone()),
        action: entry.action.clone(),
        subject: entry.target.clone(),
        subject_kind: subject.as_ref().map(|(kind, _)| *kind),
        subject_name: subject.map(|(_, name)| name).or_else(|| called_then().map(str::to_owned)),
        address: entry.address.clone(),
        detail: (!entry.detail.is_null()).then(|| entry.detail.to_string()),
        at: entry.at.into(),
    }
}
