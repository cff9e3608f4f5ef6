//! Accounts and sessions as rows of a table.

use std::cmp::Ordering;

use morpion_openapi::account::{Session, User};
use uuid::Uuid;

use super::view::COLUMNS;
use crate::{
    list::{Row, view::Column},
    widgets::name::Named,
};

impl Row for User {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["Joined", "Account", "Kind", "Rating"];
    const COLUMNS: &'static [Column] = &COLUMNS;

    fn key(&self) -> Uuid {
        self.user_id
    }

    fn words(&self) -> String {
        let Self { user_id, username, display_name, email, first_name, last_name, .. } = self;
        let kind = kind(self);
        format!("{user_id} {username} {display_name} {email} {first_name} {last_name} {kind}").to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => other.created_at.cmp(&self.created_at),
            1 => self.name().order().cmp(&other.name().order()),
            3 => value(other).cmp(&value(self)),
            _ => kind(self).cmp(kind(other)),
        }
        .then_with(|| self.user_id.cmp(&other.user_id))
    }
}

fn value(user: &User) -> Option<u32> {
    user.rating.as_ref().map(|rating| rating.value)
}

/// What an account is, in a word.
pub fn kind(user: &User) -> &'static str {
    match user {
        User { suspension: Some(_), .. } => "suspended",
        User { is_admin: true, .. } => "admin",
        User { is_temp_user: true, .. } => "guest",
        User { is_bot: Some(true), .. } => "bot",
        User { is_pro_user: true, .. } => "pro",
        _ => "free",
    }
}

impl Row for Session {
    type Key = String;
    const SORTS: &'static [&'static str] = &["Last used", "Device"];

    fn key(&self) -> String {
        self.session_id.clone()
    }

    fn words(&self) -> String {
        format!("{} {}", self.device, self.address).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        match sort {
            0 => other.last_used_at.cmp(&self.last_used_at),
            _ => self.device.cmp(&other.device),
        }
        .then_with(|| self.session_id.cmp(&other.session_id))
    }
}
