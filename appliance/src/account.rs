//! Accounts: who somebody is, how they prove it, and for how long.
//!
//! | module | what it is |
//! |---|---|
//! | [`sign_in`] | registering, signing in, changing the password |
//! | [`password`], [`failures`] | Argon2id and the rules of passwords; who has to wait after failed sign-ins |
//! | [`guest`], [`avatar`], [`leaving`] | playing without an account; profile images; export and deletion |
//! | [`session`], [`cookies`], [`device`] | sessions and their tokens; what a browser keeps; what it is called |
//! | [`forgery`] | whether a page of ours made a request |
//! | [`provider`], [`provider_sign_in`] | signing in with an OpenID Connect provider |
//! | [`recovery`] | codes by mail: a new password, showing that an email is one's own |
//! | [`security`] | what an owner proves before what cannot be undone, letters that tell of it, another email |
//! | [`operator`] | operator tokens, the link that makes the first admin |
//! | [`identify`] | who makes a request, and from where |
//! | [`limits`] | how often an address or an account may do something |
//! | [`names`] | the checked types of usernames, emails and names |
//! | [`profile`] | looking people up, changing one's profile |
//! | [`administration`] | what admins and operators do with accounts |
//! | [`convert`] | stored accounts as they cross the wire |

pub mod administration;
pub mod avatar;
pub mod convert;
pub mod cookies;
pub mod device;
pub mod failures;
pub mod forgery;
pub mod guest;
pub mod identify;
pub mod leaving;
pub mod limits;
pub mod names;
pub mod operator;
pub mod password;
mod private_file;
pub mod profile;
pub mod provider;
pub mod provider_sign_in;
pub mod recovery;
pub mod security;
pub mod session;
pub mod sign_in;
pub mod token;

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::Context;
use morpion_rules::UserId;
use morpion_store::{AuditEntry, DatabaseUrl, Store, User};
use poem::http::StatusCode;
use tokio::sync::{Semaphore, broadcast};
use uuid::Uuid;

use crate::{
    calendar::Calendars,
    clock::Clock,
    config::Config,
    http::{Fault, body::Call},
    mail::Mailer,
    people::People,
};
use avatar::Darkroom;
use failures::FailedSignIns;
use forgery::ServerSecret;
use limits::Limits;
use operator::Operators;
use password::Passwords;
use provider::Provider;
pub use session::SessionEnded;
use session::Sessions;

/// The key of the anti-forgery tokens, in the data folder.
const SECRET_FILE: &str = "secret.key";

/// Everything about accounts; one a process.
#[derive(Debug)]
pub struct Accounts {
    pub(crate) store: Store,
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Clock,
    /// How people are called and what they look like, for all who see them.
    pub people: People,
    pub(crate) sessions: Sessions,
    pub(crate) operators: Operators,
    pub(crate) mailer: Mailer,
    pub(crate) provider: Option<Arc<Provider>>,
    calendars: Calendars,
    pub(crate) passwords: Passwords,
    darkroom: Darkroom,
    failures: Arc<FailedSignIns>,
    /// Places for sign-ins that are being slowed down.
    slowed: Semaphore,
    limits: Limits,
    secret: ServerSecret,
    warned_of_forwarding: AtomicBool,
}

impl Accounts {
    /// Opens the accounts of a store. The key of the anti-forgery tokens is the configured one, else that in the data
    /// folder (made now if there is none), else, with a store in memory, a random one.
    ///
    /// # Errors
    /// The key's file cannot be read or written, or mail cannot be sent the way it is configured.
    pub async fn new(store: Store, people: People, config: Arc<Config>, clock: Clock) -> anyhow::Result<Self> {
        let provider = Provider::new(&config)?.map(Arc::new);
        let secret = load_secret(&config)?;
        Ok(Self {
            sessions: Sessions::new(store.clone(), secret.clone()),
            operators: Operators::new(store.clone()),
            mailer: Mailer::start(&config)?,
            calendars: Calendars::new(store.clone(), provider.clone(), clock.clone())?,
            provider,
            passwords: tokio::task::spawn_blocking(Passwords::new).await?,
            darkroom: Darkroom::default(),
            failures: Arc::new(FailedSignIns::new(&config.limits)),
            slowed: Semaphore::new(sign_in::MAX_SLOWED),
            limits: Limits::new(&config.limits),
            secret,
            warned_of_forwarding: AtomicBool::new(false),
            store,
            people,
            config,
            clock,
        })
    }

    /// Hears of every session that ends from now on, and of operator tokens that are revoked, by their id.
    pub fn ended(&self) -> broadcast::Receiver<SessionEnded> {
        self.sessions.ended()
    }

    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// People's own calendars.
    pub fn calendars(&self) -> &Calendars {
        &self.calendars
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

    /// Where one makes the first admin, good once and for 30 minutes; the link before it is good no more. `None` when
    /// there is an admin. For standard output only, never for a log.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn new_setup_link(&self) -> Result<Option<String>, Fault> {
        let secret = self.operators.new_setup_secret(self.clock.steady()).await?;
        Ok(secret.map(|secret| format!("{}/setup?token={secret}", self.config.public_origin())))
    }

    /// Whether there is no admin yet and the link with this secret, if one is given, is good.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn is_setup_open(&self, secret: Option<&str>) -> Result<bool, Fault> {
        self.operators.is_setup_open(secret, self.clock.steady()).await
    }

    /// Sees to it that the data folder has an operator token that works, for console and shell on the same machine;
    /// answers where it is. A store in memory leaves nothing behind, so there it makes none.
    ///
    /// # Errors
    /// The file cannot be read or written, or the store does not answer.
    pub async fn ensure_local_token(&self) -> anyhow::Result<Option<PathBuf>> {
        if self.config.database_url() == DatabaseUrl::Memory {
            return Ok(None);
        }
        self.operators.ensure_local_token(&self.config.data_dir, self.clock.wall()).await.map(Some)
    }

    /// The account, unless it is deleted.
    ///
    /// # Errors
    /// 404.
    pub async fn user(&self, id: UserId) -> Result<User, Fault> {
        let user = self.store.user(id.0).await?.filter(|user| user.deleted_at.is_none());
        user.ok_or_else(|| Fault::not_found("user"))
    }

    /// Writes into the audit trail what an admin did.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn audit(&self, call: &Call, action: &str, target: &str, detail: serde_json::Value) -> Result<(), Fault> {
        let entry = AuditEntry {
            actor: call.caller.audit_name(),
            action: action.to_owned(),
            target: target.to_owned(),
            address: call.address.to_string(),
            at: self.clock.wall(),
            detail,
        };
        self.store.append_audit(entry).await?;
        Ok(())
    }
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

    /// As [`Caller::acting`], for what guests cannot do: they practise and play invite games, no more.
    ///
    /// # Errors
    /// As there, and 403 `guest`.
    pub fn member(&self, named: Option<Uuid>) -> Result<&Arc<Identity>, Fault> {
        let identity = self.acting(named)?;
        if identity.is_temp {
            let text = "Guests cannot do this. Create an account first; your games come with you.";
            return Err(Fault::new(StatusCode::FORBIDDEN, "guest", text));
        }
        Ok(identity)
    }

    /// Anybody who is not a visitor.
    ///
    /// # Errors
    /// 401.
    pub fn signed_in(&self) -> Result<(), Fault> {
        match self {
            Self::Visitor => Err(Fault::not_signed_in()),
            Self::User(_) | Self::Operator(_) => Ok(()),
        }
    }

    /// As [`Caller::acting`] for a read that operator tokens may make too.
    ///
    /// # Errors
    /// As there, save that a token passes if the payload names nobody.
    pub fn acting_or_nobody(&self, named: Option<Uuid>) -> Result<(), Fault> {
        match (self, named) {
            (Self::Operator(_), None) => Ok(()),
            _ => self.acting(named).map(drop),
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
