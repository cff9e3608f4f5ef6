//! Accounts: who somebody is, how they prove it, and for how long.
//!
//! | module | what it is |
//! |---|---|
//! | [`sign_in`] | registering, signing in, changing the password |
//! | [`password`], [`failures`] | Argon2id and the rules of passwords; who has to wait after failed sign-ins |
//! | [`breached`] | passwords that appeared in data breaches |
//! | [`second_factor`], [`passkey`] | authenticator apps and recovery codes; passkeys |
//! | [`required_factor`] | who has to have a second factor |
//! | [`pending`], [`proof`] | sign-ins that wait for a second factor; proofs before sensitive acts |
//! | [`guest`] | playing without an account |
//! | [`avatar`], [`image_processor`] | profile images, and how uploads are processed |
//! | [`deletion`], [`data_export`] | deleting an account, exporting its data |
//! | [`session`], [`cookies`], [`device`] | sessions and their tokens; a browser's cookies; its name |
//! | [`csrf`] | protection against requests forged by other sites |
//! | [`provider`], [`provider_sign_in`] | signing in with an OpenID Connect provider |
//! | [`recovery`] | codes by email: a new password, verifying an email |
//! | [`security`] | what an owner has to prove before critical changes, the emails that report them, changing the email |
//! | [`security_events`] | the log of sign-ins, changes and their failures |
//! | [`personal_token`] | what programs show instead of a session |
//! | [`operator`] | operator tokens; the link that creates the first admin |
//! | [`played_from`] | networks and devices, to tell two players from one |
//! | [`identify`] | who makes a request, and from where |
//! | [`limits`] | rate limits by address or account |
//! | [`names`] | the validated types of usernames, emails and names |
//! | [`name_rules`] | reserved and offensive names |
//! | [`calendar_token`] | the token of a private event's calendar file |
//! | [`calendars`] | users' own calendars |
//! | [`profile`] | searching for people, changing one's profile |
//! | [`player_page`] | who sees a player's page |
//! | [`admin_claims`] | admin rights that a provider's claim gives for a while |
//! | [`administration`] | what admins and operators do with accounts |
//! | [`moderation`] | suspensions, reports, blocks |
//! | [`notification_settings`] | what people are told of while their page is closed, and in which browsers |
//! | [`audited_reads`] | what they read, in the audit trail |
//! | [`error`] | what can go wrong |

mod admin_claims;
pub mod administration;
mod audited_reads;
pub mod avatar;
pub mod bot;
pub mod breached;
mod calendar_token;
pub mod calendars;
pub mod cookies;
pub mod csrf;
pub mod data_export;
pub mod deletion;
pub mod device;
pub mod error;
pub mod failures;
pub mod guest;
pub mod identify;
pub mod image_processor;
pub mod limits;
pub mod moderation;
pub mod name_rules;
pub mod names;
pub mod notification_settings;
pub mod operator;
pub mod passkey;
pub mod password;
pub mod password_link;
pub mod pending;
pub mod personal_token;
pub mod played_from;
pub mod player_page;
pub mod profile;
pub mod proof;
pub mod provider;
pub mod provider_sign_in;
pub mod readable_code;
pub mod recovery;
pub mod required_factor;
pub mod second_factor;
pub mod security;
pub mod security_events;
pub mod session;
mod short_lived;
pub mod sign_in;
pub mod token;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::Context;
use chrono::{DateTime, Utc};
use morpion_rules::UserId;
use morpion_store::{AuditEntry, Credentials, DatabaseUrl, Store, User};
use parking_lot::RwLock;
use tokio::sync::{Semaphore, broadcast};
use uuid::Uuid;

use crate::{
    account::calendars::Calendars,
    caller::{Call, Caller},
    clock::Clock,
    config::{Config, ConfigError},
    error::CommonError,
    mail::{LetterCount, Mailer, UnsubscribeKey},
    metrics::Metrics,
    people::People,
    private_file,
};

use audited_reads::RecentReads;
use breached::BreachedPasswords;
use csrf::ServerSecret;
use error::AccountError;
use failures::FailedSignIns;
use image_processor::ImageProcessor;
use limits::Limits;
use name_rules::NameRules;
use operator::Operators;
use passkey::Passkeys;
use password::Passwords;
use pending::PendingSignIn;
use provider::Provider;
use required_factor::RequiredFactor;
use session::Sessions;
pub use session::{ClosureReason, SocketClosure};
use short_lived::ShortLived;

/// The key of the CSRF tokens, in the data folder.
pub const SECRET_FILE: &str = "secret.key";

/// Everything about accounts; one a process.
#[derive(Debug)]
pub struct Accounts {
    pub(crate) store: Store,
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Clock,
    /// Names and pictures of people, as everybody sees them.
    pub people: People,
    pub(crate) sessions: Sessions,
    pub(crate) operators: Operators,
    pub(crate) mailer: Mailer,
    /// First the one without an id, then by their ids.
    providers: Vec<Arc<Provider>>,
    calendars: Calendars,
    pub(crate) passwords: Passwords,
    name_rules: RwLock<Arc<NameRules>>,
    image_processor: ImageProcessor,
    failures: Arc<FailedSignIns>,
    /// Slots for sign-ins that are being slowed down.
    slowed: Semaphore,
    limits: Limits,
    secret: ServerSecret,
    reads: RecentReads,
    required_factor: Arc<RequiredFactor>,
    passkeys: Passkeys,
    /// By the device's hash.
    pending: ShortLived<PendingSignIn>,
    /// Secrets of authenticator apps that are to be confirmed, by session.
    totp_setups: ShortLived<[u8; 20]>,
    /// How many codes of an authenticator app were wrong, by account.
    wrong_codes: ShortLived<u32>,
    /// Personal tokens whose use was written, by their id.
    used_tokens: ShortLived<()>,
    warned_of_forwarding: AtomicBool,
    metrics: Metrics,
}

impl Accounts {
    /// Opens the accounts of a store. The key of the CSRF tokens is the configured one, else that in the data
    /// folder (made now if there is none), else, with a store in memory, a random one.
    ///
    /// # Errors
    /// A file that the configuration names or the key's file cannot be used, or mail cannot be sent the way it is configured.
    pub async fn new(
        store: Store,
        people: People,
        config: Arc<Config>,
        clock: Clock,
        metrics: Metrics,
    ) -> anyhow::Result<Self> {
        let providers: Vec<_> = Provider::all(&config, &clock)?.into_iter().map(Arc::new).collect();
        let of_calendars = providers.iter().find(|provider| provider.config().offers_calendar()).cloned();
        let secret = load_secret(&config)?;
        let breached = BreachedPasswords::configured(&config)?;
        let name_rules = RwLock::new(Arc::new(NameRules::configured(&config)?));
        let rule = config.identity.require_second_factor;
        let required_factor = Arc::new(RequiredFactor::new(rule, &store).await?);
        Ok(Self {
            sessions: Sessions::new(store.clone(), secret.clone(), Arc::clone(&required_factor)),
            operators: Operators::new(store.clone()),
            mailer: mailer(&config, &store, &secret, &clock, &metrics)?,
            metrics,
            calendars: Calendars::new(store.clone(), of_calendars, clock.clone())?,
            providers,
            passwords: tokio::task::spawn_blocking(|| Passwords::new(breached)).await?,
            name_rules,
            image_processor: ImageProcessor::default(),
            failures: Arc::new(FailedSignIns::new(&config.limits)),
            slowed: Semaphore::new(sign_in::MAX_SLOWED),
            limits: Limits::new(&config.limits),
            secret,
            reads: RecentReads::default(),
            required_factor,
            passkeys: Passkeys::new(&config),
            pending: ShortLived::new(pending::PENDING_LIFE),
            totp_setups: ShortLived::new(second_factor::SETUP_LIFE),
            wrong_codes: ShortLived::new(proof::WRONG_CODES_MEMORY),
            used_tokens: ShortLived::new(personal_token::TOUCH_EVERY),
            warned_of_forwarding: AtomicBool::new(false),
            store,
            people,
            config,
            clock,
        })
    }

    /// Subscribes to the sessions and operator tokens whose sockets are to be closed.
    pub fn closures(&self) -> broadcast::Receiver<SocketClosure> {
        self.sessions.closures()
    }

    /// Until when the sessions and tokens of these callers are good if they are not used before, by their id and by the
    /// clock that they go by, without those that have ended. For sockets, which outlive the request that opened them.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn valid_until(
        &self,
        callers: impl IntoIterator<Item = &Caller>,
    ) -> Result<HashMap<Uuid, DateTime<Utc>>, AccountError> {
        let (mut sessions, mut programs, mut tokens) = (Vec::new(), Vec::new(), Vec::new());
        for caller in callers {
            match caller {
                Caller::Visitor => {}
                Caller::User(identity) if identity.is_program() => programs.push(identity.session_id),
                Caller::User(identity) => sessions.push(identity.session_id),
                Caller::Operator(operator) => tokens.push(operator.token_id),
            }
        }
        let now = self.clock.steady();
        let mut ends = self.store.session_ends(&sessions, now).await?;
        ends.extend(self.store.personal_token_ends(&programs, now).await?);
        if !tokens.is_empty() {
            let all = self.operators.valid_until(self.clock.wall()).await?;
            ends.extend(all.filter(|(id, _)| tokens.contains(id)));
        }
        Ok(ends)
    }

    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// With which the secrets of webhooks are sealed.
    pub fn key_of_webhooks(&self) -> [u8; 32] {
        self.secret.derived_key("secrets of webhooks")
    }

    /// People's own calendars.
    pub fn calendars(&self) -> &Calendars {
        &self.calendars
    }

    pub(crate) fn name_rules(&self) -> Arc<NameRules> {
        Arc::clone(&self.name_rules.read())
    }

    /// Reads the host's list of reserved names again, where this configuration says.
    ///
    /// # Errors
    /// The list cannot be used; the one before stays.
    pub fn reload_name_rules(&self, config: &Config) -> Result<(), ConfigError> {
        *self.name_rules.write() = Arc::new(NameRules::configured(config)?);
        Ok(())
    }

    /// Whether mails leave the machine.
    pub fn mails_by_smtp(&self) -> bool {
        self.mailer.is_smtp()
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether cookies are for HTTPS only.
    pub fn is_secure(&self) -> bool {
        self.config.is_secure()
    }

    /// The link that creates the first admin. It is valid once, for 30 minutes, and replaces the previous one. `None`
    /// when there is an admin. For standard output only, never for a log.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn new_setup_link(&self) -> Result<Option<String>, AccountError> {
        let secret = self.operators.new_setup_secret(self.clock.steady()).await?;
        Ok(secret.map(|secret| format!("{}/setup?token={secret}", self.config.public_origin())))
    }

    /// Whether there is no admin yet and, if a secret is given, the link with this secret is valid.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn is_setup_open(&self, secret: Option<&str>) -> Result<bool, AccountError> {
        self.operators.is_setup_open(secret, self.clock.steady()).await
    }

    /// Gives the data folder a new operator token for console and shell on the same machine, and returns its path. A
    /// store in memory gets none.
    ///
    /// # Errors
    /// The file cannot be written, or the store is unavailable.
    pub async fn replace_local_token(&self) -> anyhow::Result<Option<PathBuf>> {
        if self.config.database_url() == DatabaseUrl::Memory {
            return Ok(None);
        }
        self.operators.replace_local_token(&self.config.data_dir, self.clock.wall()).await.map(Some)
    }

    /// The account, which still has these credentials: what follows a change holds for what there was after it.
    ///
    /// # Errors
    /// [`CommonError::CredentialsChanged`], [`CommonError::NotFound`].
    pub(crate) async fn user_with(&self, credentials: Credentials) -> Result<User, AccountError> {
        let user = self.user(UserId(credentials.user_id)).await?;
        if user.credentials() == credentials { Ok(user) } else { Err(CommonError::CredentialsChanged.into()) }
    }

    /// The account, unless it is deleted.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn user(&self, id: UserId) -> Result<User, AccountError> {
        let user = self.store.user(id.0).await?.filter(|user| user.deleted_at.is_none());
        user.ok_or(CommonError::NotFound("user").into())
    }

    /// The entry of the audit trail for what an admin does, to be stored in the transaction of what it records.
    pub fn audit_entry(&self, call: &Call, action: &str, target: &str, detail: serde_json::Value) -> AuditEntry {
        AuditEntry {
            actor: call.caller.audit_name(),
            action: action.to_owned(),
            target: target.to_owned(),
            address: call.address.to_string(),
            at: self.clock.wall(),
            detail,
            by: call.caller.acts_by(),
        }
    }

    /// Records in the audit trail what an admin did.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn audit(
        &self,
        call: &Call,
        action: &str,
        target: &str,
        detail: serde_json::Value,
    ) -> Result<(), AccountError> {
        Ok(self.store.append_audit(self.audit_entry(call, action, target, detail)).await?)
    }
}

/// Checks the files that the configuration names for accounts, without using them.
///
/// # Errors
/// The first that cannot be used.
pub fn check_files(config: &Config) -> Result<(), ConfigError> {
    BreachedPasswords::configured(config)?;
    NameRules::configured(config).map(drop)
}

/// Makes the server's secret unless there is one.
///
/// # Errors
/// The file cannot be read or written.
pub fn prepare_secret(config: &Config) -> anyhow::Result<()> {
    load_secret(config).map(drop)
}

fn mailer(
    config: &Config,
    store: &Store,
    secret: &ServerSecret,
    clock: &Clock,
    metrics: &Metrics,
) -> anyhow::Result<Mailer> {
    let hashing = secret.clone();
    let count = LetterCount {
        store: store.clone(),
        clock: clock.clone(),
        recipient: Arc::new(move |email| recovery::recipient_hash(&hashing, email)),
    };
    Mailer::start(config, metrics.clone(), UnsubscribeKey::new(secret.derived_key("unsubscribe")), count)
}

fn load_secret(config: &Config) -> anyhow::Result<ServerSecret> {
    if let Some(configured) = &config.server.secret_key {
        return Ok(ServerSecret::from_text(configured.expose()));
    }
    if config.database_url() == DatabaseUrl::Memory {
        return Ok(ServerSecret::random());
    }
    let path = config.data_dir.join(SECRET_FILE);
    let cannot = |what| format!("{} cannot be {what}; make it a file that this user owns", path.display());
    if let Some(text) = private_file::read(&path).with_context(|| cannot("read"))?.filter(|text| !text.is_empty()) {
        return Ok(ServerSecret::from_text(&text));
    }
    let text = token::new();
    private_file::write(&path, &text).with_context(|| cannot("written"))?;
    Ok(ServerSecret::from_text(&text))
}
