//! Suspensions, reports and blocks: `docs/behaviour/moderation.md`.

use uuid::Uuid;

use crate::{Pagination, Timestamp, profile::UserProfile};

words! {
    /// What a report is about.
    pub enum ReportKind {
        Name = "name",
        Picture = "picture",
        Behaviour = "behaviour",
        /// Help of a program in a game.
        Engine = "engine",
    }
}

words! { pub enum ReportState { Open = "open", Closed = "closed" } }

words! {
    /// What an admin decided.
    pub enum ReportOutcome {
        Dismissed = "dismissed",
        /// Something was done about it.
        Upheld = "upheld",
    }
}

request! {
    /// Ends the account's sessions, live games and sign-ups, and refuses every sign-in. Without an operator token the last
    /// proof must be at most 10 minutes old.
    pub struct SuspendUser {
        pub user_id: Uuid,
        /// Without an end if absent.
        pub until: Option<Timestamp>,
        /// Shown to the person: 1 to 500 characters.
        pub reason: String,
    }

    pub struct LiftSuspension { pub user_id: Uuid }

    /// Without a username and a display name the account gets neutral ones.
    pub struct RenameUser {
        pub user_id: Uuid,
        pub username: Option<String>,
        pub display_name: Option<String>,
        pub reason: String,
    }

    /// Lets a member host private events although the email is not verified, or no longer.
    pub struct AllowHosting { pub user_id: Uuid, pub allowed: bool }

    pub struct RemovePicture { pub user_id: Uuid, pub reason: String }

    /// As its owner's deletion; it cannot be undone. Without an operator token the last proof must be at most 10 minutes
    /// old.
    pub struct DeleteUser { pub user_id: Uuid, pub reason: String }

    /// The newest first; open ones unless said otherwise.
    pub struct ListReports {
        pub state: Option<ReportState>,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct CloseReport {
        pub report_id: Uuid,
        pub outcome: ReportOutcome,
        /// For other admins; may be empty.
        pub note: String,
    }

    /// Accounts with a suspension, also one that is over; the latest first.
    pub struct ListSuspended {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// A further report about the same person for the same reason replaces an open one.
    pub struct ReportUser {
        pub user_id: Uuid,
        pub kind: ReportKind,
        /// At most 500 characters.
        pub text: Option<String>,
        /// The game that it is about.
        pub game_id: Option<Uuid>,
    }

    pub struct BlockUser { pub user_id: Uuid }

    pub struct UnblockUser { pub user_id: Uuid }

    pub struct ListBlocked {}
}

answer! {
    pub struct Suspension {
        /// Absent for one without an end.
        pub until: Option<Timestamp>,
        pub reason: String,
        pub at: Timestamp,
    }

    /// What was reported, as it was at that time.
    pub struct ReportEvidence {
        pub username: String,
        pub display_name: String,
        /// The picture as a data: address.
        pub picture: Option<String>,
    }

    pub struct Report {
        pub report_id: Uuid,
        pub kind: ReportKind,
        pub text: String,
        /// Absent if the account is gone.
        pub reporter: Option<UserProfile>,
        pub subject: Option<UserProfile>,
        /// Of the subject, if it is in force.
        pub suspension: Option<Suspension>,
        pub game_id: Option<Uuid>,
        pub evidence: ReportEvidence,
        pub at: Timestamp,
        pub state: ReportState,
        pub outcome: Option<ReportOutcome>,
        pub note: Option<String>,
        /// A username, or the name of an operator token.
        pub closed_by: Option<String>,
        pub closed_at: Option<Timestamp>,
        /// Open reports about the same person, this one included.
        pub same_subject_open: u64,
    }

    pub struct ReportsAnswer {
        pub reports: Vec<Report>,
        pub pagination: Pagination,
    }

    pub struct ReportAnswer { pub report: Report }

    pub struct BlockedAnswer { pub users: Vec<UserProfile> }
}
