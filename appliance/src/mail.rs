//! Mail: by SMTP, or as files in the outbox folder where no SMTP server is configured. See
//! `docs/behaviour/accounts.md#mail`.
//!
//! Nothing waits for a mail: [`Mailer::enqueue`] puts it into a bounded queue, from which it is sent with a few
//! retries. So the time of a response does not reveal whether a mail was sent.

mod template;
pub mod unsubscribe;

use std::{
    fs::{DirBuilder, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use chrono::{DateTime, Utc};
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Mailbox, MultiPart,
        header::{Header, HeaderName, HeaderValue},
    },
    transport::smtp::{
        PoolConfig,
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
    },
};
use tokio::sync::{Semaphore, mpsc};
use uuid::Uuid;

use template::About;
pub use template::EmailTemplate;
pub use unsubscribe::{LetterKind, UnsubscribeKey};

use crate::{
    config::{Config, MailSecurity},
    metrics::{MailOutcome, Metrics},
    storage::is_writable,
};

/// Queued mails; when the queue is full, further ones are dropped and logged.
const QUEUE_SIZE: usize = 256;

/// The part of the queue for letters that many get at once, so that they leave room for codes and do not delay them long.
const BULK_SHARE: usize = QUEUE_SIZE / 8;

/// How often it is looked whether there is room for them.
const ROOM_EVERY: Duration = Duration::from_millis(100);

/// Mails sent at once.
const MAX_CONCURRENT: usize = 4;

/// For one connection or response of the SMTP server.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Pauses before the retries; nobody waits longer for a code.
const RETRY_PAUSES: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(20)];

/// Files kept in the outbox; the oldest are removed.
const MAX_OUTBOX_FILES: usize = 200;

type Smtp = AsyncSmtpTransport<Tokio1Executor>;

/// How mails are delivered.
#[derive(Clone)]
enum Transport {
    Smtp(Smtp),
    OutboxFolder(PathBuf),
}

/// Sends mails. Cheap to clone; all clones share one queue.
#[derive(Clone)]
pub struct Mailer {
    transport: Transport,
    from: Mailbox,
    /// The server's public URL, which is in the footer of every mail.
    site: String,
    unsubscribe: UnsubscribeKey,
    queue: mpsc::Sender<Message>,
    metrics: Metrics,
}

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailer").field("from", &self.from).field("by_smtp", &self.is_smtp()).finish_non_exhaustive()
    }
}

impl Mailer {
    /// Starts the task that sends, which ends with the last clone.
    ///
    /// # Errors
    /// `mail.ca_file` cannot be used, or there is no address to send from.
    pub fn start(config: &Config, metrics: Metrics, unsubscribe: UnsubscribeKey) -> anyhow::Result<Self> {
        let transport = transport(config)?;
        let (queue, messages) = mpsc::channel(QUEUE_SIZE);
        tokio::spawn(run_sender(transport.clone(), messages, metrics.clone()));
        let (from, site) = (sender(config)?, config.public_origin().to_string());
        Ok(Self { transport, from, site, unsubscribe, queue, metrics })
    }

    /// Whether mails leave the machine.
    pub fn is_smtp(&self) -> bool {
        matches!(self.transport, Transport::Smtp(_))
    }

    /// Queues a mail. Failures are logged, without its content.
    pub fn enqueue(&self, to: &str, template: &EmailTemplate) {
        self.enqueue_message(self.message(to, template, None));
    }

    /// As [`Mailer::enqueue`], for a letter to this user that can be switched off: it says how.
    pub fn enqueue_optional(&self, user: Uuid, to: &str, template: &EmailTemplate, now: DateTime<Utc>) {
        let link = match template.about {
            About::Optional(kind) => Some(self.unsubscribe_link(user, kind, now)),
            _ => None,
        };
        self.enqueue_message(self.message(to, template, link.as_deref()));
    }

    /// Waits until the queue has room for one of many letters.
    pub async fn wait_for_room(&self) {
        while self.waiting() >= BULK_SHARE {
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

    fn enqueue_message(&self, message: anyhow::Result<Message>) {
        match message {
            Ok(message) => {
                if self.queue.try_send(message).is_err() {
                    self.metrics.mail(MailOutcome::Dropped);
                    tracing::error!("a mail was dropped: too many are waiting to be sent");
                }
            }
            Err(error) => tracing::warn!(error = %format!("{error:#}"), "a mail could not be written"),
        }
    }

    /// Mails that wait to be sent.
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Sends a mail now, without retries, and returns where it went.
    ///
    /// # Errors
    /// The error of the SMTP server or the file system.
    pub async fn send(&self, to: &str, template: &EmailTemplate) -> anyhow::Result<String> {
        deliver(&self.transport, &self.message(to, template, None)?).await
    }

    /// Whether mails can be sent: the SMTP server accepts a connection, or the outbox can be written.
    ///
    /// # Errors
    /// Why they cannot.
    pub async fn check(&self) -> anyhow::Result<String> {
        match &self.transport {
            Transport::Smtp(smtp) => match smtp.test_connection().await {
                Ok(true) => Ok(format!("the SMTP server accepts mail from {}", self.from)),
                Ok(false) => anyhow::bail!("the SMTP server answers, but refuses the connection"),
                Err(error) => Err(with_causes(&error)),
            },
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

    /// `unsubscribe` is the path that ends letters of this kind.
    fn message(&self, to: &str, template: &EmailTemplate, unsubscribe: Option<&str>) -> anyhow::Result<Message> {
        let to: Address = to.parse().context("not an address that mail can be sent to")?;
        let unsubscribe = unsubscribe.map(|path| format!("{}{path}", self.site));
        let address = unsubscribe.as_deref();
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(to.into())
            .subject(&template.subject)
            .message_id(None)
            .date_now();
        if let Some(address) = address {
            // RFC 8058: mail programs show a button, and press it with a POST.
            message = message.header(ListUnsubscribe(format!("<{address}>"))).header(OneClick);
        }
        let (plain, html) = (template.plain(&self.site, address), template.html(&self.site, address));
        Ok(message.multipart(MultiPart::alternative_plain_html(plain, html))?)
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

fn transport(config: &Config) -> anyhow::Result<Transport> {
    let mail = &config.mail;
    if mail.host.is_empty() {
        return Ok(Transport::OutboxFolder(config.data_dir.join("outbox")));
    }
    let mut tls = TlsParameters::builder(mail.host.clone());
    if !mail.ca_file.is_empty() {
        let cannot = || format!("mail.ca_file: {} cannot be used as a certificate in PEM", mail.ca_file);
        let pem = std::fs::read(&mail.ca_file).with_context(cannot)?;
        tls = tls.add_root_certificate(Certificate::from_pem(&pem).with_context(cannot)?);
    }
    let tls = match mail.security {
        MailSecurity::Starttls => Tls::Required(tls.build()?),
        MailSecurity::Tls => Tls::Wrapper(tls.build()?),
        MailSecurity::None => Tls::None,
    };
    let mut smtp = Smtp::builder_dangerous(&mail.host)
        .port(mail.port)
        .tls(tls)
        .timeout(Some(TIMEOUT))
        .pool_config(PoolConfig::new().max_size(MAX_CONCURRENT as u32));
    if !mail.username.is_empty() {
        smtp = smtp.credentials(Credentials::new(mail.username.clone(), mail.password.expose().to_owned()));
    }
    Ok(Transport::Smtp(smtp.build()))
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

async fn run_sender(transport: Transport, mut messages: mpsc::Receiver<Message>, metrics: Metrics) {
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
    while let Some(message) = messages.recv().await {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
        let (transport, metrics) = (transport.clone(), metrics.clone());
        tokio::spawn(async move {
            let _permit = permit;
            metrics.mail(deliver_with_retries(&transport, &message).await);
        });
    }
}

async fn deliver_with_retries(transport: &Transport, message: &Message) -> MailOutcome {
    let mut pauses = RETRY_PAUSES.into_iter();
    loop {
        let Err(error) = deliver(transport, message).await else { return MailOutcome::Sent };
        let error = format!("{error:#}");
        match pauses.next() {
            Some(pause) => {
                tracing::warn!(error, "a mail could not be sent; trying again");
                tokio::time::sleep(pause).await;
            }
            None => {
                tracing::error!(error, "a mail could not be sent; see `morpion mail test`");
                return MailOutcome::Failed;
            }
        }
    }
}

async fn deliver(transport: &Transport, message: &Message) -> anyhow::Result<String> {
    match transport {
        Transport::Smtp(smtp) => {
            let answer = smtp.send(message.clone()).await.map_err(|error| with_causes(&error))?;
            let words: Vec<&str> = answer.message().collect();
            Ok(format!("accepted by the SMTP server: {} {}", answer.code(), words.join(" ")))
        }
        Transport::OutboxFolder(folder) => {
            let (folder, text) = (folder.clone(), message.formatted());
            let file = tokio::task::spawn_blocking(move || write_to_outbox(&folder, &text)).await??;
            Ok(format!("written to {}", file.display()))
        }
    }
}

/// The error with its causes, which contain the reason.
fn with_causes(error: &lettre::transport::smtp::Error) -> anyhow::Error {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    anyhow::anyhow!("the SMTP server refused the mail: {text}")
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
        let mailer =
            Mailer::start(&config(|config| config.data_dir = folder.path().to_owned()), Metrics::default(), key())
                .unwrap();
        assert!(!mailer.is_smtp());
        mailer.send("ada@example.org", &EmailTemplate::test()).await.unwrap();
        let outbox = folder.path().join("outbox");
        let rights = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let mails = || std::fs::read_dir(&outbox).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
        assert_eq!((rights(&outbox), rights(&mails()[0])), (0o700, 0o600));
        for number in 0..MAX_OUTBOX_FILES {
            std::fs::write(outbox.join(format!("20000101T000000.{number:03}Z-x.eml")), "old").unwrap();
        }
        mailer.send("ada@example.org", &EmailTemplate::test()).await.unwrap();
        let left = mails();
        assert_eq!(left.len(), MAX_OUTBOX_FILES);
        assert_eq!(left.iter().filter(|path| !path.to_string_lossy().contains("20000101")).count(), 2);
    }

    #[tokio::test]
    async fn email_headers_cannot_be_injected() {
        let mailer = Mailer::start(&Config::default(), Metrics::default(), key()).unwrap();
        for hostile in ["a@example.org\r\nBcc: b@example.org", "a@example.org, b@example.org", "", "nobody"] {
            assert!(mailer.message(hostile, &EmailTemplate::test(), None).is_err(), "{hostile:?}");
        }
        let mut template = EmailTemplate::test();
        template.subject = "Hello\r\nBcc: b@example.org".to_owned();
        let text = String::from_utf8(mailer.message("a@example.org", &template, None).unwrap().formatted()).unwrap();
        let headers = text.split("\r\n\r\n").next().unwrap();
        assert!(headers.contains("Subject: ") && !headers.lines().any(|line| line.starts_with("Bcc")), "{headers}");
    }

    #[test]
    fn an_invalid_certificate_file_is_named() {
        let bad = config(|config| {
            config.mail.host = "mail.example.org".to_owned();
            config.mail.ca_file = "/nowhere/ca.pem".to_owned();
        });
        let error = transport(&bad).err().unwrap();
        assert!(format!("{error:#}").starts_with("mail.ca_file: /nowhere/ca.pem"), "{error:#}");
    }

    #[tokio::test]
    async fn letters_that_can_be_switched_off_say_how_in_one_line_of_their_head() {
        let mailer = Mailer::start(&Config::default(), Metrics::default(), key()).unwrap();
        let user = Uuid::new_v4();
        let path = key().link(user, LetterKind::Payment, Utc::now());
        let template = EmailTemplate::receipt("ada", "3.99 USD", None);
        let letter = mailer.message("ada@example.org", &template, Some(&path)).unwrap().formatted();
        let letter = String::from_utf8(letter).unwrap();
        let (head, _) = letter.split_once("\r\n\r\n").unwrap();
        let line = head.lines().find(|line| line.starts_with("List-Unsubscribe: ")).unwrap();
        let address = line.strip_prefix("List-Unsubscribe: <").unwrap().strip_suffix('>').unwrap();
        assert_eq!(address, format!("http://127.0.0.1:8080{path}"), "mail programs do not unfold it");
        assert!(head.lines().any(|line| line == "List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{head}");
        let token = address.split_once("token=").unwrap().1;
        assert_eq!(mailer.open_unsubscribe(token, Utc::now()), Some((user, LetterKind::Payment)));
        let other = mailer.message("ada@example.org", &EmailTemplate::password_changed("ada"), None).unwrap();
        assert!(!String::from_utf8(other.formatted()).unwrap().contains("List-Unsubscribe"));
    }
}
