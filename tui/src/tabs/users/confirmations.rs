//! What is confirmed before an account is changed.

use morpion_openapi::{
    admin::{GrantPro, RevokePro, RevokeSessionAction, SetAdmin},
    moderation::{DeleteUser, LiftSuspension, RemovePicture, RenameUser, SuspendUser},
};
use uuid::Uuid;

use crate::{
    actions::{Moderation, Subject},
    dialog::confirm::{ConfirmDialog, ConfirmField},
};

pub fn revoke_session(user_id: Uuid, session_id: String, device: String) -> ConfirmDialog {
    let lines = vec![format!("{device} is signed out at once, and its games lose their connection.")];
    let call = RevokeSessionAction { user_id, session_id };
    ConfirmDialog::new("Revoke this session?", lines, "The session is revoked.").step(device, call)
}

pub fn set_admin(user_id: Uuid, name: String, is_admin: bool) -> ConfirmDialog {
    let (title, line, done) = if is_admin {
        (
            format!("Make {name} an admin?"),
            "An admin can see and do everything that you can.",
            format!("{name} is an admin."),
        )
    } else {
        (
            format!("Remove {name} as admin?"),
            "The account is kept, as an ordinary player.",
            format!("{name} is no longer an admin."),
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
    let lines = vec!["The grant ends at once. A paid subscription is not affected.".to_owned()];
    let call = RevokePro { user_id, reason: String::new() };
    ConfirmDialog::new(format!("Revoke Pro from {name}?"), lines, format!("{name} has no Pro any more."))
        .step(name, call)
        .field(ConfirmField::Reason)
}

/// Something against misuse. All but lifting a suspension needs a reason, which the person is told.
pub fn moderate(act: Moderation, subject: Subject) -> ConfirmDialog {
    let Subject { user_id, username, name } = subject;
    let reason = String::new();
    let dialog = |title: String, meaning: &str, done: String| ConfirmDialog::new(title, vec![meaning.to_owned()], done);
    match act {
        Moderation::Suspend => dialog(
            format!("Suspend {name}?"),
            "Signed out everywhere, no sign-in until it ends. Games under way are forfeited, sign-ups for events \
             withdrawn, admin rights removed. The reason is shown and mailed to them.",
            format!("{name} is suspended."),
        )
        .step(name, SuspendUser { user_id, until: None, reason })
        .field(ConfirmField::Length)
        .field(ConfirmField::Reason),
        Moderation::Lift => dialog(
            format!("Lift the suspension of {name}?"),
            "They can sign in again at once, and are told by email.",
            format!("{name} is not suspended any more."),
        )
        .step(name, LiftSuspension { user_id }),
        Moderation::Rename => dialog(
            format!("Rename {name}?"),
            "The new names are shown everywhere at once. Their old username becomes available to anybody. The reason is \
             mailed to them.",
            format!("{name} has another name."),
        )
        .step(name, RenameUser { user_id, username: None, display_name: None, reason })
        .field(ConfirmField::Username)
        .field(ConfirmField::DisplayName)
        .field(ConfirmField::Reason),
        Moderation::RemovePicture => dialog(
            format!("Remove the picture of {name}?"),
            "They may choose another one. The reason is emailed to them.",
            format!("{name} has no picture any more."),
        )
        .step(name, RemovePicture { user_id, reason })
        .field(ConfirmField::Reason),
        Moderation::Delete => dialog(
            format!("Delete the account of {name}?"),
            "This cannot be undone. Profile, picture and sessions go, games under way are forfeited. Past results stay, \
             under 'Deleted player'. The reason is mailed to them.",
            format!("The account of {name} is deleted."),
        )
        .step(name, DeleteUser { user_id, reason })
        .field(ConfirmField::Reason)
        .again(username),
    }
}
