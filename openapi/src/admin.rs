//! What operators and admins ask for: the server's state, accounts, tokens, the audit trail.

use uuid::Uuid;

use crate::{
    Acknowledgement, Pagination, Timestamp,
    account::{Session, User},
    action::actions,
    cluster::{Cluster, ClusterAnswer},
    engine_use::{EngineEvidenceAnswer, EngineScoresAnswer, GetEngineEvidence, ListEngineScores},
    game::{Game, GameAnswer},
    moderation::{
        AllowHosting, CloseReport, DeleteUser, LiftSuspension, ListReports, ListSuspended, RemovePicture, RenameUser,
        ReportAnswer, ReportsAnswer, SuspendUser,
    },
    programs::PersonalToken,
    quick_match::{QuickMatchQueue, QuickMatchQueueAnswer},
    subscription::Subscription,
    webhook::{
        CreateWebhook, CreateWebhookAnswer, DeleteWebhook, ListDeliveries, ListWebhooks, ResendDelivery, TestWebhook,
        WebhookDeliveriesAnswer, WebhookDeliveryAnswer, WebhooksAnswer,
    },
};

words! {
    /// What an id is of.
    pub enum IdOf { Event = "event", Game = "game", User = "user" }
}

words! {
    pub enum AuditSubject { User = "user", Event = "event", Game = "game", Series = "series" }
}

words! {
    /// What an operator token may do.
    pub enum TokenScope {
        /// Every read.
        Read = "read",
        /// Reads, and everything about events, games and the people in them.
        Events = "events",
        /// Reads, and everything about accounts that gives nobody admin rights: sessions, moderation, Pro.
        Accounts = "accounts",
        /// Everything: also tokens, admin rights, passwords, and clearing the log.
        All = "all",
    }
}

request! {
    pub struct Overview {}

    /// The last hour of the server in figures.
    pub struct History {}

    pub struct ListUsers {
        pub text: Option<String>,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// Everybody with admin rights, by username; `adminClaim` says by what, where they are for a while.
    pub struct ListAdmins {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct ListSessions { pub user_id: Uuid }

    pub struct RevokeSessionAction { pub user_id: Uuid, pub session_id: String }

    /// A member's personal tokens that have not ended, without their secrets.
    pub struct ListPersonalTokensOf { pub user_id: Uuid }

    /// Deletes one of a member's personal tokens, or all.
    pub struct DeletePersonalTokensOf {
        pub user_id: Uuid,
        /// All if it is absent.
        pub token_id: Option<String>,
    }

    pub struct SetAdmin { pub user_id: Uuid, pub is_admin: bool }

    pub struct GrantPro {
        pub user_id: Uuid,
        pub until: Option<Timestamp>,
        pub reason: String,
    }

    pub struct RevokePro { pub user_id: Uuid, pub reason: String }

    pub struct ListAudit {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// Checks the hash chain of the audit trail.
    pub struct VerifyAudit {}

    /// Computes all ratings again from the stored games.
    pub struct VerifyRatings {}

    /// The oldest first.
    pub struct ExportAudit {
        /// The `next` of the answer before; absent for the first.
        pub after: Option<u64>,
        /// Leaves out entries from before.
        pub since: Option<Timestamp>,
    }

    /// Accounts that pay, paid or were granted Pro.
    pub struct ListSubscriptions {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct ListBillingEvents {
        pub user_id: Option<Uuid>,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    pub struct ListLiveGames {
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// Decides a live game. Without a winner it is void.
    pub struct AdjudicateGame {
        pub game_id: Uuid,
        pub winner_user_id: Option<Uuid>,
        pub reason: String,
    }

    /// Makes an account an admin; with a password the account is made if there is none.
    pub struct CreateAdmin {
        pub email: String,
        pub username: String,
        pub password: String,
    }

    /// By username, or by an email that its owner confirmed.
    pub struct PromoteUser { pub account: String }

    /// By username, or by an email that its owner confirmed.
    pub struct DemoteUser { pub account: String }

    /// By username, or by an email that its owner confirmed. Ends every session of the account. For an admin's
    /// only with the token in the data folder.
    pub struct ResetPassword { pub account: String, pub new_password: String }

    /// By username, or by an email that its owner confirmed. Its owner signs in without a second factor again,
    /// and is told by email. For an admin's account only with the token in the data folder.
    pub struct RemoveSecondFactor { pub account: String, pub reason: String }

    /// Makes a one-time link, good for 24 hours, by which the owner of an account sets a new password. The account is named by
    /// its username, or by an email that its owner confirmed. They are told by email. A link made before no longer works.
    pub struct CreatePasswordLink {
        pub account: String,
        /// For somebody who lost the second factor as well: it is removed when the link is used.
        pub remove_second_factor: Option<bool>,
        pub reason: String,
    }

    /// By username, or by an email that its owner confirmed. The new email is not confirmed; the one before, if it
    /// was, gets a letter that takes it back within 7 days.
    pub struct ChangeEmail {
        pub account: String,
        pub new_email: String,
        pub reason: String,
    }

    pub struct ListTokens {}

    /// Ids that begin so: at least four of their characters.
    pub struct FindIds { pub of: IdOf, pub beginning: String }

    pub struct CreateToken {
        /// No two tokens have the same name; upper and lower case count as the same.
        pub name: String,
        pub scope: TokenScope,
        /// Days, 90 if absent.
        pub expires_in_days: Option<u32>,
    }

    pub struct RevokeToken { pub token_id: String }

    /// Begins a backup; `backup` of the overview tells of it.
    pub struct CreateBackup {
        /// A folder or `s3://BUCKET/PREFIX` for this one; only the token in the data folder may choose it.
        pub to: Option<String>,
    }

    /// The backups of this server where it makes them by itself.
    pub struct ListBackups {}

    /// Begins to restore a backup into a temporary folder and to check it there; `backup.verification` of the overview
    /// tells of it. One at a time.
    pub struct VerifyBackup {
        /// An id, or `latest`.
        pub backup_id: String,
    }
}

answer! {
    pub struct StoreHealth {
        /// A write was answered within the last 5 seconds.
        pub ready: bool,
        /// Moves waiting for their commit.
        pub pending: u64,
    }

    /// How the backups of this server are.
    pub struct BackupStatus {
        /// Where they are made to by themselves; absent if nowhere.
        pub place: Option<String>,
        /// One is being made since then.
        pub running_since: Option<Timestamp>,
        /// The latest that is known.
        pub last: Option<Backup>,
        /// What was committed until then is backed up.
        pub log_until: Option<Timestamp>,
        /// Why they fail, and since when.
        pub failure: Option<String>,
        pub failing_since: Option<Timestamp>,
        /// The last check of a backup since the start.
        pub verification: Option<BackupVerification>,
    }

    pub struct Backup {
        pub backup_id: String,
        pub at: Timestamp,
        /// In all, and those that no earlier backup had stored.
        pub bytes: u64,
        pub new_bytes: u64,
        /// The Morpion that made it.
        pub version: String,
    }

    pub struct BackupVerification {
        pub backup_id: String,
        pub started_at: Timestamp,
        /// Absent while it is under way.
        pub finished_at: Option<Timestamp>,
        /// What is wrong with the backup; empty if it is good, or could not be checked.
        pub problems: Vec<String>,
        /// Why it could not be checked.
        pub failure: Option<String>,
    }

    pub struct BackupsAnswer {
        /// In the order of their making.
        pub backups: Vec<Backup>,
        pub unreadable: Vec<UnreadableBackup>,
    }

    /// A backup whose manifest is damaged, or of a newer version.
    pub struct UnreadableBackup {
        pub backup_id: String,
        pub reason: String,
    }

    pub struct OverviewAnswer {
        pub version: String,
        pub started_at: Timestamp,
        pub server_time: Timestamp,
        pub connections: u64,
        pub live_games: u64,
        pub waiting_games: u64,
        /// Since the start.
        pub moves: u64,
        pub users: u64,
        pub store: StoreHealth,
        /// Mails leave by SMTP; else they are written to the outbox folder.
        pub mail_configured: bool,
        pub billing_configured: bool,
        pub open_reports: u64,
        /// How many webhooks there are.
        pub webhooks: u64,
        /// How many of them have accepted nothing for an hour, or are disabled.
        pub failing_webhooks: u64,
        pub backup: BackupStatus,
        /// The node of the cluster that leads, and answers this; absent on a server that runs alone.
        pub leader: Option<String>,
        pub warnings: Vec<String>,
    }

    /// Figures of one moment; those that grow are of the time since the sample before.
    pub struct HistorySample {
        pub at: Timestamp,
        /// Of one core.
        pub cpu_percent: f64,
        /// Bytes.
        pub memory: u64,
        /// Free bytes of the fullest disk; absent if they cannot be read.
        pub disk_free: Option<u64>,
        pub sockets: u64,
        pub moves_per_second: f64,
        /// Milliseconds in which half of the moves were on disk and announced; absent without moves.
        pub move_p50: Option<f64>,
        /// The same of 99 %.
        pub move_p99: Option<f64>,
        pub log_records_per_second: f64,
    }

    /// The oldest first, at most an hour's.
    pub struct HistoryAnswer {
        pub interval_seconds: u64,
        pub samples: Vec<HistorySample>,
    }

    pub struct UsersListAnswer {
        pub users: Vec<User>,
        pub pagination: Pagination,
    }

    pub struct UserSessionsAnswer { pub sessions: Vec<Session> }

    pub struct UserTokensAnswer {
        /// The newest first.
        pub tokens: Vec<PersonalToken>,
    }

    pub struct DeletedTokensAnswer { pub deleted: u32 }

    pub struct AuditEntry {
        pub audit_id: String,
        /// Its place in the trail, from 1.
        pub sequence: u64,
        /// A username, or the name of an operator token.
        pub actor: String,
        pub action: String,
        pub subject: String,
        /// What the subject is, where it has a page.
        pub subject_kind: Option<AuditSubject>,
        /// What the subject is called today: a username, an event's title, a game's players.
        pub subject_name: Option<String>,
        pub address: String,
        pub detail: Option<String>,
        pub at: Timestamp,
    }

    pub struct AuditAnswer {
        pub entries: Vec<AuditEntry>,
        pub pagination: Pagination,
    }

    pub struct VerifyAuditAnswer {
        /// Entries in order, from the first.
        pub entries: u64,
        /// When the first and the last of them were written.
        pub from: Option<Timestamp>,
        pub until: Option<Timestamp>,
        /// The hash of the last of them; empty without entries.
        pub head: String,
        /// The number of the first entry that is not as it was written; absent if the trail is in order.
        pub broken_at: Option<u64>,
        /// How it differs, in words.
        pub problem: Option<String>,
    }

    pub struct VerifyRatingsAnswer {
        /// The stored ratings and receipts agree with what the games say.
        pub agrees: bool,
        /// Rated games.
        pub games: u64,
        /// Users who have played one.
        pub players: u64,
        /// What differs, in words; the first hundred.
        pub differences: Vec<String>,
    }

    pub struct ExportAuditAnswer {
        /// One entry a line, with its hash and that of the entry before it.
        pub ndjson: String,
        /// Where the next part begins; absent after the last.
        pub next: Option<u64>,
    }

    pub struct UserSubscription {
        pub user_id: Uuid,
        pub username: String,
        pub display_name: String,
        /// Where the picture is, 64 pixels wide; absent without one.
        pub profile_url: Option<String>,
        /// True for a bot, absent for people.
        pub is_bot: Option<bool>,
        pub is_pro_user: bool,
        /// As the payment provider calls it, for example `active` or `past_due`; absent without a subscription.
        pub status: Option<String>,
        /// The provider's name for it.
        pub provider_id: Option<String>,
        pub subscription: Subscription,
        /// Of a grant.
        pub reason: Option<String>,
    }

    pub struct UserSubscriptionsAnswer {
        pub subscriptions: Vec<UserSubscription>,
        pub pagination: Pagination,
    }

    pub struct BillingEvent {
        pub billing_event_id: String,
        pub user_id: Option<Uuid>,
        pub kind: String,
        pub detail: String,
        pub at: Timestamp,
    }

    pub struct BillingEventsAnswer {
        pub events: Vec<BillingEvent>,
        pub pagination: Pagination,
    }

    pub struct LiveGamesAnswer {
        pub games: Vec<Game>,
        pub pagination: Pagination,
    }

    pub struct AdminUserAnswer { pub user: User }

    /// The link is shown this once.
    pub struct PasswordLinkAnswer {
        /// What comes behind the address of the server, such as `/new-password#…`.
        pub path: String,
        pub expires_at: Timestamp,
    }

    pub struct OperatorToken {
        pub token_id: String,
        pub name: String,
        pub scope: TokenScope,
        pub created_at: Timestamp,
        /// Absent only for the server's local token, and for tokens of versions that made some without an end.
        pub expires_at: Option<Timestamp>,
        pub last_used_at: Option<Timestamp>,
    }

    pub struct TokensAnswer {
        pub tokens: Vec<OperatorToken>,
        /// Tokens that expire soon, or never.
        #[serde(default)]
        pub warnings: Vec<String>,
        /// The one with which this was asked, if it was one.
        pub current_token_id: Option<String>,
    }

    /// At most ten.
    pub struct FoundIdsAnswer { pub ids: Vec<Uuid> }

    /// The secret is shown this once.
    pub struct CreateTokenAnswer {
        pub token: String,
        pub token_id: String,
        pub expires_at: Timestamp,
    }
}

actions! {
    resource "admin";
    /// Reads of `admin`.
    reads AdminRead {
        "overview": Overview => OverviewAnswer;
        "history": History => HistoryAnswer;
        "list_users": ListUsers => UsersListAnswer;
        "list_admins": ListAdmins => UsersListAnswer;
        "list_sessions": ListSessions => UserSessionsAnswer;
        "list_personal_tokens": ListPersonalTokensOf => UserTokensAnswer;
        "list_audit": ListAudit => AuditAnswer;
        "verify_audit": VerifyAudit => VerifyAuditAnswer;
        "verify_ratings": VerifyRatings => VerifyRatingsAnswer;
        "export_audit": ExportAudit => ExportAuditAnswer;
        "list_subscriptions": ListSubscriptions => UserSubscriptionsAnswer;
        "list_billing_events": ListBillingEvents => BillingEventsAnswer;
        "list_live_games": ListLiveGames => LiveGamesAnswer;
        "quick_match_queue": QuickMatchQueue => QuickMatchQueueAnswer;
        "list_tokens": ListTokens => TokensAnswer;
        "list_backups": ListBackups => BackupsAnswer;
        "cluster": Cluster => ClusterAnswer;
        "list_webhooks": ListWebhooks => WebhooksAnswer;
        "list_deliveries": ListDeliveries => WebhookDeliveriesAnswer;
        "find_ids": FindIds => FoundIdsAnswer;
        "list_suspended": ListSuspended => UsersListAnswer;
        "list_reports": ListReports => ReportsAnswer;
        "list_engine_scores": ListEngineScores => EngineScoresAnswer;
        "get_engine_evidence": GetEngineEvidence => EngineEvidenceAnswer;
    }
    /// Writes of `admin`.
    writes AdminWrite {
        "revoke_session": RevokeSessionAction => Acknowledgement;
        "delete_personal_tokens": DeletePersonalTokensOf => DeletedTokensAnswer;
        "set_admin": SetAdmin => AdminUserAnswer;
        "grant_pro": GrantPro => AdminUserAnswer;
        "revoke_pro": RevokePro => AdminUserAnswer;
        "adjudicate_game": AdjudicateGame => GameAnswer;
        "create_admin": CreateAdmin => AdminUserAnswer;
        "promote_user": PromoteUser => AdminUserAnswer;
        "demote_user": DemoteUser => AdminUserAnswer;
        "reset_password": ResetPassword => Acknowledgement;
        "remove_second_factor": RemoveSecondFactor => Acknowledgement;
        "create_password_link": CreatePasswordLink => PasswordLinkAnswer;
        "change_email": ChangeEmail => AdminUserAnswer;
        "create_token": CreateToken => CreateTokenAnswer;
        "revoke_token": RevokeToken => Acknowledgement;
        "create_backup": CreateBackup => Acknowledgement;
        "verify_backup": VerifyBackup => Acknowledgement;
        "create_webhook": CreateWebhook => CreateWebhookAnswer;
        "delete_webhook": DeleteWebhook => Acknowledgement;
        "resend_delivery": ResendDelivery => WebhookDeliveryAnswer;
        "test_webhook": TestWebhook => Acknowledgement;
        "suspend_user": SuspendUser => AdminUserAnswer;
        "lift_suspension": LiftSuspension => AdminUserAnswer;
        "rename_user": RenameUser => AdminUserAnswer;
        "remove_picture": RemovePicture => AdminUserAnswer;
        "allow_hosting": AllowHosting => AdminUserAnswer;
        "delete_user": DeleteUser => Acknowledgement;
        "close_report": CloseReport => ReportAnswer;
    }
}
