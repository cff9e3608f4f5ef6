//! The store: the only crate that uses SurrealDB.
//!
//! Callers use named functions ([`Store::create_user`], [`Store::rotate_session`], [`Journal`]) and get typed rows
//! back; no query text, record id or SurrealDB type leaves this crate. There is one file per table, and the schema is
//! in `src/migrations`. What is written for every move and every game is no table: [`Journal`],
//! `game/records.rs` and `played.rs`.
//!
//! Constraints of the engine, and where they are handled:
//!
//! * Isolation is snapshot. Two writes that must exclude each other touch one shared *guard* record (a taken
//!   username, a verified email), whose record id is the natural key; see `user.rs`.
//! * Write conflicts are not retried by SurrealDB, and inside `BEGIN … COMMIT` only the commit's own entry names
//!   them; see [`Store`]'s private `write`, which looks through all of them and retries with jitter.
//! * SurrealDB reads a range in pages from its start. Whatever is wanted newest first has a key that descends in time.
//! * A disk that refuses a write leaves the log in doubt; the storage engine under SurrealDB is our own adapter, which
//!   opens it again before anything is acknowledged; see the crate `morpion-engine`.
//! * Dropping a handle does not wait for the files to be closed; [`Store::close`] does.
//! * A commit costs an fsync. Moves of many games therefore share one journal record; see [`Journal`].

mod address;
mod admins;
mod audit;
mod avatar;
mod billing;
mod bot;
mod calendar;
mod code;
mod counted;
mod credentials;
mod deletion;
mod device;
mod dump;
mod engine;
mod engine_use;
mod error;
mod event;
mod event_news;
mod game;
mod hook;
mod identity;
mod journal;
mod keyed;
mod listing;
mod log;
mod migrate;
mod moderation;
mod notification;
mod operator;
mod password_link;
mod personal_token;
mod played;
#[cfg(test)]
mod query_plans;
mod rating;
mod restored;
mod search;
mod second_factor;
mod series;
mod session;
mod signup;
mod stage;
mod store;
mod user;

pub use address::DatabaseUrl;
pub use admins::AdminClaim;
pub use audit::{ActsBy, AuditBreak, AuditCheck, AuditEntry, AuditRecord};
pub use avatar::{AvatarImage, NewAvatar};
pub use billing::{BillingAccount, BillingEvent, GrantRow, LedgerEntry, PurchaseRow, SubscriptionRow};
pub use calendar::{CalendarGrant, CalendarRevocation};
pub use code::{
    CodeAllowance, CodeAttempt, CodeKey, CodePurpose, CodeRequest, CodeToTake, LETTERS_A_DAY, LetterClass, NewCode,
    Recovery,
};
pub use credentials::Credentials;
pub use deletion::Merge;
pub use dump::{DumpReader, DumpRecord, DumpWriter};
pub use engine_use::{EngineUseRow, EngineUseUpdate, WaitingGame};
pub use error::{StoreError, Unique};
pub use event::{
    AnnouncementRow, ConditionsRow, EventFilter, EventInvitationRow, EventPage, EventRow, EventState, EventType,
    QueuePlace, StageFormat, StagesRow, VouchRow, WinnerRow,
};
pub use event_news::{EventNewsRow, NewEventNews, NewsChannel, NewsKind};
pub use game::{EndedGames, ForgottenGames, GamePage, GameRow, GameStatus, GamesOf, MOST_ADOPTED};
pub use hook::{AfterAttempt, DeliveryState, HookAttempt, HookDelivery, HookEvent, HookRow, SendOutcome};
pub use identity::EmailUndo;
pub use journal::{
    AppendError, Commit, Journal, JournalHandle, JournalOptions, JournalReader, JournalRecord, JournalWriter,
};
pub use listing::IdTable;
pub use log::LogChunk;
pub use moderation::{BlockRow, ReportOutcome, ReportRow, Suspension};
pub use morpion_engine::{
    DataKey, DiscardedData, Failure, Health, MANIFEST, is_encrypted, is_in_use, quarantined_logs, yield_point,
    yield_when_reading,
};
pub use notification::{
    MailSettings, NotificationSettings, PushSettings, PushSubscriptionRow, ReminderKind, ReminderMark,
};
pub use operator::{NewOperatorToken, OperatorToken};
pub use password_link::{NewPasswordLink, NewSignIn, PasswordLink};
pub use personal_token::{NewPersonalToken, PersonalToken};
pub use played::{
    Counts, EarlierHistories, MOST_BETWEEN, MOST_PAGED, MOST_SCANNED, PlayedFilter, PlayedGame, PlayedKind, PlayedPage,
    PlayedResult, PlayedRow, TallyRow, VersusRow,
};
pub use rating::{RatedGameRow, RatingLedger, RatingRow, RatingUpdate, RatingValues};
pub use second_factor::{NewPasskey, PasskeyRow, SecondFactor};
pub use series::{OccurrenceRow, SeriesRow};
pub use session::{NewSession, Session};
pub use signup::{CorrectionKind, CorrectionRow, CountsRow, MonthlyLimit, ResultRow, SignupRow};
pub use stage::TournamentText;
pub use store::{OpenOptions, Store, StoredClocks};
pub use user::{DELETED_NAME, NewUser, Pro, ProSource, ProfileChange, ProfileVisibility, ProviderLink, Rename, User};

/// The result of every fallible call of this crate.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
