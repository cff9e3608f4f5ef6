//! What is confirmed before an account is changed.

use morpion_openapi::admin::{GrantPro, RevokePro, RevokeSessionAction, SetAdmin};
use uuid::Uuid;

use crate::dialog::confirm::{ConfirmDialog, ConfirmField};

pub fn revoke_session(user_id: Uuid, session_id: String, device: String) -> ConfirmDialog {
    let lines = vec![format!("{device} is signed out at once, and its games lose their connection.")];
    let call = RevokeSessionAction { user_id, session_id };
    ConfirmDialog::new("Revoke this session?", lines, "The session is revoked.").step(device, call)
}

pub fn set_admin(user_id: Uuid, name: String, is_admin: bool) -> ConfirmDialog {
    let (title, line, done) = if is_admin {
        (
            format!("Make {name} an admin?"),
            "An admin sees everything and may do everything that you may.",
            format!("{name} is an admin."),
        )
    } else {
        (
            format!("Take the admin's rights from {name}?"),
            "The account stays; it becomes a player's.",
            format!("{name} is no admin any more."),
        )
    };
    ConfirmDialog::new(title, vec![line.to_owned()], done).step(name, SetAdmin { user_id, is_admin })
}

pub fn grant_pro(user_id: Uuid, name: String) -> ConfirmDialog {
    let lines = vec!["No payment is asked for. It can be revoked at any time.".to_owned()];
    let call = GrantPro { user_id, until: None, reason: String::new() };
    ConfirmDialog::new(format!("Grant Pro to {name}?"), lines, format!("{name} has Pro."))
        .step(name, call)
        .field(ConfirmField::Reason)
        .field(ConfirmField::Days)
}

pub fn revoke_pro(user_id: Uuid, name: String) -> ConfirmDialog {
    let lines = vec!["What was granted ends at once. A paid subscription is not touched by this.".to_owned()];
    let call = RevokePro { user_id, reason: String::new() };
    ConfirmDialog::new(format!("Revoke Pro from {name}?"), lines, format!("{name} has no Pro any more."))
        .step(name, call)
        .field(ConfirmField::Reason)
}
