//! Mail: by SMTP, or as files in the outbox folder where no SMTP server is configured. See
//! `docs/behaviour/accounts.md#mail`.
//!
//! Nothing waits for a mail: [`Mailer::notify`] and [`Mailer::send_code`] put it into a bounded queue, from which it is
//! sent. So the time of a response does not reveal whether a mail was sent.

mod address;
mod schedule;
mod smtp;
mod template;
pub mod unsubscribe;

use std::{
    collections::HashMap,
    fs::{DirBuilder, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, Utc};
use lettre::{
    Address, Message,
    message::{
        Mailbox, MultiPart,
        header::{Header, HeaderName, HeaderValue},
    },
    transport::smtp::extension::ClientId,
};
use morpion_store::{LetterClass, Store, User};
use tokio::{sync::mpsc, task::JoinSet, time::Instant};
use url::Host;
use uuid::Uuid;

pub use address::{AddressError, MAX_ADDRESS, mailbox, to_address, typed};
use schedule::{Schedule, Waiting};
use smtp::{Refusal, SmtpServer};
use template::About;
pub use template::EmailTemplate;
pub use unsubscribe::{LetterKind, UnsubscribeKey};

use crate::{
    clock::Clock,
    config::Config,
    metrics::{MailOutcome, Metrics},
    storage::is_writable,
};

/// Queued mails; when the queue is full, further ones are dropped and logged.
const QUEUE_SIZE: usize = 256;

/// The part of the queue for letters that many get at once, so that they leave room for codes and do not delay them long.
const BULK_SHARE: usize = QUEUE_SIZE / 8;

/// How often it is looked whether there is room for them.
const ROOM_EVERY: Duration = Duration::from_millis(100);

/// The pause before the second try. Each further one doubles it: greylisting takes a letter after some minutes (RFC 6647).
const FIRST_PAUSE: Duration = Duration::from_secs(5);

/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);

/// Files kept in the outbox; the oldest are removed.
const MAX_OUTBOX_FILES: usize = 200;

/// Where mails go, for commands that send one and wait for it, too.
pub struct Post {
    transport: Transport,
    from: Mailbox,
    hello: ClientId,
    /// The server's public URL, which is in the footer of every mail.
    site: String,
}

enum Transport {
    Smtp(Box<SmtpServer>),
    OutboxFolder(PathBuf),
}

impl Post {
    /// # Errors
    /// `mail.ca_file` cannot be used, or there is no address to send from.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let transport = match config.mail.host.is_empty() {
            true => Transport::OutboxFolder(config.data_dir.join("outbox")),
            false => Transport::Smtp(Box::new(SmtpServer::new(config)?)),
        };
        let site = config.public_origin().to_string();
        Ok(Self { transport, from: sender(config)?, hello: hello(config), site })
    }

    /// Whether mails leave the machine.
    pub fn is_smtp(&self) -> bool {
        matches!(self.transport, Transport::Smtp(_))
    }

    /// Sends a mail now, without retries, and returns where it went.
    ///
    /// # Errors
    /// The error of the SMTP server or the file system.
    pub async fn send(&self, to: &str, template: &EmailTemplate) -> anyhow::Result<String> {
        Ok(self.deliver(&self.message(to, template, None)?).await?)
    }

    /// Whether mails can be sent: the SMTP server accepts a connection, or the outbox can be written.
    ///
    /// # Errors
    /// Why they cannot.
    pub async fn check(&self) -> anyhow::Result<String> {
        match &self.transport {
            Transport::Smtp(smtp) => {
                smtp.check().await?;
                Ok(format!("the SMTP server accepts mail from {}; we are {} to it", self.from, self.hello))
            }
            Transport::OutboxFolder(folder) => {
                // The folder is made by the first mail.
                let existing = folder.ancestors().find(|folder| folder.exists());
                if !existing.is_some_and(is_writable) {
                    anyhow::bail!("{} cannot be written by this user", folder.display());
                }
                Ok(format!("no SMTP server is configured; mails are written to {}", folder.display()))
            }
        }
    }

    async fn deliver(&self, message: &Message) -> Result<String, Refusal> {
        match &self.transport {
            Transport::Smtp(smtp) => smtp.send(message).await,
            Transport::OutboxFolder(folder) => {
                let (folder, text) = (folder.clone(), message.formatted());
                let written = tokio::task::spawn_blocking(move || write_to_outbox(&folder, &text)).await;
                match written.map_err(io::Error::other).flatten() {
                    Ok(file) => Ok(format!("written to {}", file.display())),
                    Err(error) => Err(Refusal::Temporary(format!("the outbox cannot be written: {error}"))),
                }
            }
        }
    }

    /// `unsubscribe` is the path that ends letters of this kind.
    fn message(&self, to: &str, template: &EmailTemplate, unsubscribe: Option<&str>) -> anyhow::Result<Message> {
        let to = to_address(to)?;
        let unsubscribe = unsubscribe.map(|path| format!("{}{path}", self.site));
        let address = unsubscribe.as_deref();
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(to.into())
            .subject(&template.subject)
            .message_id(Some(format!("<{}@{}>", Uuid::new_v4().simple(), self.hello)))
            .header(AutoSubmitted)
            .date_now();
        if let Some(address) = address {
            // RFC 8058: mail programs show a button, and press it with a POST.
            message = message.header(ListUnsubscribe(format!("<{address}>"))).header(OneClick);
        }
        let (plain, html) = (template.plain(&self.site, address), template.html(&self.site, address));
        Ok(message.multipart(MultiPart::alternative_plain_html(plain, html))?)
    }
}

/// Counts the letters of a day and recipient. The counts are stored, so that they outlive a restart.
#[derive(Clone)]
pub struct LetterCount {
    pub store: Store,
    pub clock: Clock,
    /// A keyed hash of a mailbox.
    pub recipient: Arc<dyn Fn(&str) -> String + Send + Sync>,
}

impl LetterCount {
    /// Whether this one may be sent; it counts then.
    async fn allows(&self, to: &str, class: LetterClass) -> bool {
        let now = self.clock.steady();
        self.store.count_letter(&(self.recipient)(to), class, now).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "a letter was not counted");
            // Rather one too many than none.
            true
        })
    }
}

/// A letter on its way.
struct Letter {
    to: String,
    message: Message,
    /// As what it has to be counted before the first try.
    uncounted: Option<LetterClass>,
    tries: u32,
    /// When it is of no use any more.
    until: Instant,
}

/// The one sender of letters. Cheap to clone; all clones share one queue.
#[derive(Clone)]
pub struct Mailer {
    post: Arc<Post>,
    unsubscribe: UnsubscribeKey,
    queue: mpsc::Sender<Waiting<Letter>>,
    /// How many letters the sending task holds: all, and those that only wait for a place.
    held: Arc<(AtomicUsize, AtomicUsize)>,
    metrics: Metrics,
    clock: Clock,
}

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailer")
            .field("from", &self.post.from)
            .field("by_smtp", &self.is_smtp())
            .finish_non_exhaustive()
    }
}

impl Mailer {
    /// Starts the task that sends, which ends with the last clone.
    ///
    /// # Errors
    /// As [`Post::new`].
    pub fn start(
        config: &Config,
        metrics: Metrics,
        unsubscribe: UnsubscribeKey,
        count: LetterCount,
    ) -> anyhow::Result<Self> {
        let post = Arc::new(Post::new(config)?);
        let (queue, letters) = mpsc::channel(QUEUE_SIZE);
        let (held, clock) = (Arc::default(), count.clock.clone());
        let sending = Sending { post: Arc::clone(&post), metrics: metrics.clone(), count, held: Arc::clone(&held) };
        tokio::spawn(sending.run(letters));
        Ok(Self { post, unsubscribe, queue, held, metrics, clock })
    }

    /// Whether mails leave the machine.
    pub fn is_smtp(&self) -> bool {
        self.post.is_smtp()
    }

    /// Queues a letter to the owner of an account, if their email is verified: anybody can make an account that claims an
    /// address. Failures are logged, without the letter's content. A recipient gets few letters a day
    /// ([`LetterClass`]); further ones are only counted.
    pub fn notify(&self, user: &User, template: &EmailTemplate) {
        let Some(email) = user.email.as_deref().filter(|_| user.email_verified) else { return };
        let link = match template.about {
            About::Optional(kind) => Some(self.unsubscribe_link(user.id, kind, self.clock.wall())),
            _ => None,
        };
        self.enqueue(email, template, link.as_deref());
    }

    /// Queues a letter with a code, which was counted as it was issued. Only these go to addresses that nobody proved.
    pub fn send_code(&self, to: &str, template: &EmailTemplate) {
        debug_assert_eq!(template.about, About::Code);
        self.enqueue(to, template, None);
    }

    /// Waits until the queue has room for one of many letters.
    pub async fn wait_for_room(&self) {
        while self.queued() + self.held.1.load(Ordering::Relaxed) >= BULK_SHARE {
            tokio::time::sleep(ROOM_EVERY).await;
        }
    }

    /// The path of the link that ends letters of a kind.
    pub fn unsubscribe_link(&self, user: Uuid, kind: LetterKind, now: DateTime<Utc>) -> String {
        self.unsubscribe.link(user, kind, now)
    }

    /// Whose letters of which kind a link ends.
    pub fn open_unsubscribe(&self, token: &str, now: DateTime<Utc>) -> Option<(Uuid, LetterKind)> {
        self.unsubscribe.open(token, now)
    }

    /// Mails that wait to be sent, those that wait for another try included.
    pub fn waiting(&self) -> usize {
        self.queued() + self.held.0.load(Ordering::Relaxed)
    }

    fn queued(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    fn enqueue(&self, to: &str, template: &EmailTemplate, unsubscribe: Option<&str>) {
        let message = match self.post.message(to, template, unsubscribe) {
            Ok(message) => message,
            Err(error) => return tracing::warn!(error = %format!("{error:#}"), "a mail could not be written"),
        };
        let now = Instant::now();
        let domain = message.envelope().to()[0].domain().to_lowercase().into();
        let (uncounted, until) = (template.about.class(), now + template.about.of_use());
        let letter = Letter { to: to.to_owned(), message, uncounted, tries: 0, until };
        let letter = Waiting { domain, urgency: template.about.urgency(), from: now, letter };
        if self.queue.try_send(letter).is_err() {
            was_dropped(&self.metrics);
        }
    }
}

fn was_dropped(metrics: &Metrics) {
    metrics.mail(MailOutcome::Dropped);
    tracing::error!("a mail was dropped: too many are waiting to be sent");
}

/// The task that sends.
struct Sending {
    post: Arc<Post>,
    metrics: Metrics,
    count: LetterCount,
    held: Arc<(AtomicUsize, AtomicUsize)>,
}

/// What became of a try.
enum Tried {
    Done(MailOutcome),
    /// It may be sent later.
    Again(Box<Waiting<Letter>>),
}

impl Sending {
    /// Ends when the last [`Mailer`] is gone and every letter was tried; those that wait for another try are lost.
    async fn run(self, mut queue: mpsc::Receiver<Waiting<Letter>>) {
        let sending = Arc::new(self);
        let mut schedule = Schedule::default();
        let mut tries = JoinSet::new();
        let mut places: HashMap<tokio::task::Id, (Arc<str>, Instant)> = HashMap::new();
        let mut is_open = true;
        loop {
            let now = Instant::now();
            while let Some(letter) = schedule.next(now) {
                let domain = Arc::clone(&letter.domain);
                let task = tries.spawn(Arc::clone(&sending).attempt(letter));
                places.insert(task.id(), (domain, now));
            }
            let due = schedule.due(now);
            sending.held.0.store(schedule.waiting() + places.len(), Ordering::Relaxed);
            sending.held.1.store(due, Ordering::Relaxed);
            if !is_open && due == 0 && places.is_empty() {
                return;
            }
            let wakes_at = schedule.wakes_at(now);
            let new = tokio::select! {
                letter = queue.recv(), if is_open => {
                    is_open = letter.is_some();
                    letter
                }
                Some(ended) = tries.join_next_with_id(), if !places.is_empty() => {
                    let (id, tried) = match ended {
                        Ok((id, tried)) => (id, tried),
                        Err(error) => {
                            tracing::error!(%error, "sending a mail failed");
                            (error.id(), Tried::Done(MailOutcome::Failed))
                        }
                    };
                    if let Some((domain, since)) = places.remove(&id) {
                        schedule.end(&domain, since.elapsed(), matches!(tried, Tried::Done(MailOutcome::Sent)));
                    }
                    match tried {
                        Tried::Again(letter) => Some(*letter),
                        Tried::Done(outcome) => {
                            sending.metrics.mail(outcome);
                            None
                        }
                    }
                }
                () = tokio::time::sleep_until(wakes_at.unwrap_or(now)), if wakes_at.is_some() => None,
            };
            if new.and_then(|letter| schedule.add(letter)).is_some() {
                was_dropped(&sending.metrics);
            }
        }
    }

    async fn attempt(self: Arc<Self>, mut waiting: Waiting<Letter>) -> Tried {
        let letter = &mut waiting.letter;
        if let Some(class) = letter.uncounted.take()
            && !self.count.allows(&letter.to, class).await
        {
            tracing::info!(?class, "a mail was not sent: its recipient had the letters of a day");
            return Tried::Done(MailOutcome::Limited);
        }
        let error = match self.post.deliver(&letter.message).await {
            Ok(_) => return Tried::Done(MailOutcome::Sent),
            Err(error) => error,
        };
        let next = Instant::now() + pause(letter.tries);
        letter.tries += 1;
        if matches!(error, Refusal::Permanent(_)) || next >= letter.until {
            tracing::error!(%error, tries = letter.tries, "a mail could not be sent; see `morpion mail test`");
            return Tried::Done(MailOutcome::Failed);
        }
        tracing::warn!(%error, tries = letter.tries, "a mail could not be sent yet; trying again");
        waiting.from = next;
        Tried::Again(Box::new(waiting))
    }
}

/// The pause after so many tries before the last one.
fn pause(tries: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(tries)).min(LONGEST_PAUSE)
}

/// What we call ourselves, to SMTP servers and in the ids of letters: `mail.hello`, otherwise the public host (RFC 5321,
/// 4.1.4: a name that leads here, or an address). Not the machine's own name, which nobody else may know.
fn hello(config: &Config) -> ClientId {
    if !config.mail.hello.is_empty() {
        return ClientId::Domain(config.mail.hello.clone());
    }
    let origin = config.public_origin();
    match Host::parse(origin.host()) {
        Ok(Host::Ipv4(ip)) => ClientId::Ipv4(ip),
        Ok(Host::Ipv6(ip)) => ClientId::Ipv6(ip),
        _ => ClientId::Domain(origin.host().to_owned()),
    }
}

/// `Auto-Submitted` (RFC 3834): no program answers these letters, such as one for holidays.
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// `List-Unsubscribe` (RFC 2369): an address in angle brackets.
#[derive(Clone)]
struct ListUnsubscribe(String);

impl Header for ListUnsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }

    fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self(text.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), self.0.clone())
    }
}

/// `List-Unsubscribe-Post` (RFC 8058): the address takes a POST from anybody who has it.
#[derive(Clone)]
struct OneClick;

impl Header for OneClick {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe-Post")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "List-Unsubscribe=One-Click".to_owned())
    }
}

/// `mail.from`, otherwise an address at the public host.
fn sender(config: &Config) -> anyhow::Result<Mailbox> {
    if let Some(from) = &config.mail.from {
        return Ok(from.clone());
    }
    let origin = config.public_origin();
    let address = Address::new("noreply", origin.host()).or_else(|_| Address::new("noreply", "localhost"))?;
    Ok(Mailbox::new(Some("Morpion".to_owned()), address))
}

fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Mails contain codes, so only this user may read them.
fn write_to_outbox(folder: &Path, text: &[u8]) -> io::Result<PathBuf> {
    make_folder(folder)?;
    let file = folder.join(format!("{}-{}.eml", Utc::now().format("%Y%m%dT%H%M%S%.3fZ"), Uuid::new_v4().simple()));
    // Under another name until it is complete, so that nobody reads half a mail.
    let unfinished = file.with_extension("partial");
    let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
    out.write_all(text)?;
    out.sync_all()?;
    std::fs::rename(&unfinished, &file)?;
    remove_oldest(folder)?;
    Ok(file)
}

fn remove_oldest(folder: &Path) -> io::Result<()> {
    let is_mail = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "eml");
    let mut mails: Vec<PathBuf> =
        std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).filter(is_mail).collect();
    // File names start with the time.
    mails.sort();
    let surplus = mails.len().saturating_sub(MAX_OUTBOX_FILES);
    mails.into_iter().take(surplus).try_for_each(std::fs::remove_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(change: impl FnOnce(&mut Config)) -> Config {
        let mut config = Config::default();
        change(&mut config);
        config
    }

    fn key() -> UnsubscribeKey {
        UnsubscribeKey::new([7; 32])
    }

    #[test]
    fn the_sender_is_configured_or_at_the_public_host() {
        let configured = config(|config| config.mail.from = Some("Games <games@example.org>".parse().unwrap()));
        assert_eq!(sender(&configured).unwrap().to_string(), "Games <games@example.org>");
        let named = config(|config| config.server.public_url = Some("https://play.example.org".parse().unwrap()));
        assert_eq!(sender(&named).unwrap().to_string(), "Morpion <noreply@play.example.org>");
        assert!(sender(&Config::default()).unwrap().to_string().starts_with("Morpion <noreply@"));
    }

    #[tokio::test]
    async fn the_outbox_is_private_and_keeps_the_latest() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::TempDir::new().unwrap();
        let post = Post::new(&config(|config| config.data_dir = folder.path().to_owned())).unwrap();
        assert!(!post.is_smtp());
        post.send("ada@example.org", &EmailTemplate::test()).await.unwrap();
        let outbox = folder.path().join("outbox");
        let rights = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let mails = || std::fs::read_dir(&outbox).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
        assert_eq!((rights(&outbox), rights(&mails()[0])), (0o700, 0o600));
        for number in 0..MAX_OUTBOX_FILES {
            std::fs::write(outbox.join(format!("20000101T000000.{number:03}Z-x.eml")), "old").unwrap();
        }
        post.send("ada@example.org", &EmailTemplate::test()).await.unwrap();
        let left = mails();
        assert_eq!(left.len(), MAX_OUTBOX_FILES);
        assert_eq!(left.iter().filter(|path| !path.to_string_lossy().contains("20000101")).count(), 2);
    }

    #[test]
    fn email_headers_cannot_be_injected() {
        let post = Post::new(&Config::default()).unwrap();
        for hostile in ["a@example.org\r\nBcc: b@example.org", "a@example.org, b@example.org", "", "nobody"] {
            assert!(post.message(hostile, &EmailTemplate::test(), None).is_err(), "{hostile:?}");
        }
        let mut template = EmailTemplate::test();
        template.subject = "Hello\r\nBcc: b@example.org".to_owned();
        let text = String::from_utf8(post.message("a@example.org", &template, None).unwrap().formatted()).unwrap();
        let headers = text.split("\r\n\r\n").next().unwrap();
        assert!(headers.contains("Subject: ") && !headers.lines().any(|line| line.starts_with("Bcc")), "{headers}");
    }

    #[test]
    fn an_invalid_certificate_file_is_named() {
        let bad = config(|config| {
            config.mail.host = "mail.example.org".to_owned();
            config.mail.ca_file = "/nowhere/ca.pem".to_owned();
        });
        let error = Post::new(&bad).err().unwrap();
        assert!(format!("{error:#}").starts_with("mail.ca_file: /nowhere/ca.pem"), "{error:#}");
    }

    #[test]
    fn letters_that_can_be_switched_off_say_how_in_one_line_of_their_head() {
        let post = Post::new(&Config::default()).unwrap();
        let user = Uuid::new_v4();
        let path = key().link(user, LetterKind::Payment, Utc::now());
        let template = EmailTemplate::receipt("ada", "3.99 USD", None);
        let letter = post.message("ada@example.org", &template, Some(&path)).unwrap().formatted();
        let letter = String::from_utf8(letter).unwrap();
        let (head, _) = letter.split_once("\r\n\r\n").unwrap();
        let line = head.lines().find(|line| line.starts_with("List-Unsubscribe: ")).unwrap();
        let address = line.strip_prefix("List-Unsubscribe: <").unwrap().strip_suffix('>').unwrap();
        assert_eq!(address, format!("http://127.0.0.1:8080{path}"), "mail programs do not unfold it");
        assert!(head.lines().any(|line| line == "List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{head}");
        let token = address.split_once("token=").unwrap().1;
        assert_eq!(key().open(token, Utc::now()), Some((user, LetterKind::Payment)));
        let other = post.message("ada@example.org", &EmailTemplate::password_changed("ada"), None).unwrap();
        assert!(!String::from_utf8(other.formatted()).unwrap().contains("List-Unsubscribe"));
    }

    #[test]
    fn we_call_ourselves_by_the_public_name() {
        let called = |change: fn(&mut Config)| hello(&config(change)).to_string();
        let named = called(|config| config.server.public_url = "https://play.example.org".parse().ok());
        assert_eq!(named, "play.example.org");
        assert_eq!(called(|config| config.mail.hello = "mail.example.org".to_owned()), "mail.example.org");
        assert_eq!(called(|_| {}), "[127.0.0.1]", "an address literal, as RFC 5321 has it");
        assert_eq!(called(|config| config.server.public_url = "http://[::1]:8080".parse().ok()), "[IPv6:::1]");
        let post = Post::new(&config(|config| config.mail.hello = "mail.example.org".to_owned())).unwrap();
        let letter = post.message("ada@exämple.org", &EmailTemplate::test(), None).unwrap().formatted();
        let letter = String::from_utf8(letter).unwrap();
        let (head, _) = letter.split_once("\r\n\r\n").unwrap();
        let has = |begin: &str, end: &str| head.lines().any(|line| line.starts_with(begin) && line.ends_with(end));
        assert!(has("Message-ID: <", "@mail.example.org>") && has("Auto-Submitted: auto-generated", ""), "{head}");
        assert!(has("To: ada@xn--exmple-cua.org", ""), "{head}");
    }

    #[test]
    fn tries_of_a_code_pass_greylisting_within_its_ten_minutes() {
        let mut at = Duration::ZERO;
        let tries: Vec<u64> = (0..7)
            .map(|tries| {
                at += pause(tries);
                at.as_secs()
            })
            .collect();
        assert_eq!(tries, [5, 15, 35, 75, 155, 315, 635]);
        assert_eq!(pause(40), LONGEST_PAUSE);
    }
}
