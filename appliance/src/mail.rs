//! Mail: by SMTP, or as files in the outbox folder where no SMTP server is configured. See
//! `docs/behaviour/accounts.md#mail`.
//!
//! Nobody waits for a mail: [`Mailer::post`] puts a letter into a bounded queue, from which it is sent with a few tries.
//! So how long an answer takes says nothing about whether a mail went out.

mod letter;

use std::{
    fs::{DirBuilder, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use chrono::Utc;
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{Mailbox, MultiPart},
    transport::smtp::{
        PoolConfig,
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
    },
};
use tokio::sync::{Semaphore, mpsc};
use uuid::Uuid;

pub use letter::Letter;

use crate::config::{Config, MailSecurity};

/// Letters waiting to be sent; what comes when it is full is dropped and logged.
const QUEUE: usize = 256;

/// Letters on their way at once.
const AT_ONCE: usize = 4;

/// For one connection or answer of the SMTP server.
const PATIENCE: Duration = Duration::from_secs(10);

/// Pauses between the tries: a code that comes later than that is not waited for any more.
const TRY_AGAIN_AFTER: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(20)];

/// Files in the outbox; the oldest go.
const OUTBOX_KEPT: usize = 200;

type Smtp = AsyncSmtpTransport<Tokio1Executor>;

/// Where letters go.
#[derive(Clone)]
enum Way {
    Smtp(Smtp),
    Outbox(PathBuf),
}

/// Sends letters. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Mailer {
    way: Way,
    from: Mailbox,
    /// Where people find the server: it stands under every letter.
    site: String,
    queue: mpsc::Sender<Message>,
}

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailer").field("from", &self.from).field("by_smtp", &self.is_smtp()).finish_non_exhaustive()
    }
}

impl Mailer {
    /// Starts to send. Ends with the last clone.
    ///
    /// # Errors
    /// `mail.ca_file` cannot be used, or there is no address to send from.
    pub fn start(config: &Config) -> anyhow::Result<Self> {
        let way = way(config)?;
        let (queue, letters) = mpsc::channel(QUEUE);
        tokio::spawn(keep_sending(way.clone(), letters));
        Ok(Self { way, from: sender(config)?, site: config.public_origin().to_string(), queue })
    }

    /// Whether letters really leave the machine.
    pub fn is_smtp(&self) -> bool {
        matches!(self.way, Way::Smtp(_))
    }

    /// Sends a letter soon. What fails is logged, without its content.
    pub fn post(&self, to: &str, letter: &Letter) {
        match self.message(to, letter) {
            Ok(message) => {
                if self.queue.try_send(message).is_err() {
                    tracing::error!("a mail was dropped: too many are waiting to be sent");
                }
            }
            Err(error) => tracing::warn!(error = %format!("{error:#}"), "a mail could not be written"),
        }
    }

    /// Sends a letter now, once, and says where it went.
    ///
    /// # Errors
    /// What the SMTP server or the file system says.
    pub async fn send(&self, to: &str, letter: &Letter) -> anyhow::Result<String> {
        deliver(&self.way, &self.message(to, letter)?).await
    }

    /// Whether letters can go out: the SMTP server takes us in, or the outbox can be written.
    ///
    /// # Errors
    /// What stands in the way.
    pub async fn check(&self) -> anyhow::Result<String> {
        match &self.way {
            Way::Smtp(smtp) => match smtp.test_connection().await {
                Ok(true) => Ok(format!("the SMTP server takes mail from {}", self.from)),
                Ok(false) => anyhow::bail!("the SMTP server answers, but does not take us in"),
                Err(error) => Err(explained(&error)),
            },
            Way::Outbox(folder) => {
                make_folder(folder).with_context(|| format!("{} cannot be written", folder.display()))?;
                Ok(format!("no SMTP server is configured; mails are written to {}", folder.display()))
            }
        }
    }

    fn message(&self, to: &str, letter: &Letter) -> anyhow::Result<Message> {
        let to: Address = to.parse().context("not an address that mail can be sent to")?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(to.into())
            .subject(&letter.subject)
            .message_id(None)
            .date_now()
            .multipart(MultiPart::alternative_plain_html(letter.plain(&self.site), letter.html(&self.site)))?;
        Ok(message)
    }
}

fn way(config: &Config) -> anyhow::Result<Way> {
    let mail = &config.mail;
    if mail.host.is_empty() {
        return Ok(Way::Outbox(config.data_dir.join("outbox")));
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
        .timeout(Some(PATIENCE))
        .pool_config(PoolConfig::new().max_size(AT_ONCE as u32));
    if !mail.username.is_empty() {
        smtp = smtp.credentials(Credentials::new(mail.username.clone(), mail.password.expose().to_owned()));
    }
    Ok(Way::Smtp(smtp.build()))
}

/// `mail.from`, else an address at the host that people type.
fn sender(config: &Config) -> anyhow::Result<Mailbox> {
    if let Some(from) = &config.mail.from {
        return Ok(from.clone());
    }
    let origin = config.public_origin();
    let address = Address::new("noreply", origin.host()).or_else(|_| Address::new("noreply", "localhost"))?;
    Ok(Mailbox::new(Some("Morpion".to_owned()), address))
}

async fn keep_sending(way: Way, mut letters: mpsc::Receiver<Message>) {
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    while let Some(letter) = letters.recv().await {
        let Ok(turn) = Arc::clone(&turns).acquire_owned().await else { return };
        let way = way.clone();
        tokio::spawn(async move {
            let _turn = turn;
            deliver_with_patience(&way, &letter).await;
        });
    }
}

async fn deliver_with_patience(way: &Way, letter: &Message) {
    let mut pauses = TRY_AGAIN_AFTER.into_iter();
    loop {
        let Err(error) = deliver(way, letter).await else { return };
        let error = format!("{error:#}");
        match pauses.next() {
            Some(pause) => {
                tracing::warn!(error, "a mail could not be sent; trying again");
                tokio::time::sleep(pause).await;
            }
            None => {
                tracing::error!(error, "a mail could not be sent; see `morpion mail test`");
                return;
            }
        }
    }
}

async fn deliver(way: &Way, letter: &Message) -> anyhow::Result<String> {
    match way {
        Way::Smtp(smtp) => {
            let answer = smtp.send(letter.clone()).await.map_err(|error| explained(&error))?;
            let words: Vec<&str> = answer.message().collect();
            Ok(format!("the SMTP server took it: {} {}", answer.code(), words.join(" ")))
        }
        Way::Outbox(folder) => {
            let (folder, text) = (folder.clone(), letter.formatted());
            let file = tokio::task::spawn_blocking(move || write_to_outbox(&folder, &text)).await??;
            Ok(format!("written to {}", file.display()))
        }
    }
}

/// With the causes, which is where the reason is.
fn explained(error: &lettre::transport::smtp::Error) -> anyhow::Error {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    anyhow::anyhow!("the SMTP server did not take it: {text}")
}

fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Codes are in there, so only this user may read it.
fn write_to_outbox(folder: &Path, text: &[u8]) -> io::Result<PathBuf> {
    make_folder(folder)?;
    let file = folder.join(format!("{}-{}.eml", Utc::now().format("%Y%m%dT%H%M%S%.3fZ"), Uuid::new_v4().simple()));
    // Under another name until it is whole, so that nobody reads half a letter.
    let unfinished = file.with_extension("partial");
    let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
    out.write_all(text)?;
    out.sync_all()?;
    std::fs::rename(&unfinished, &file)?;
    drop_oldest(folder)?;
    Ok(file)
}

fn drop_oldest(folder: &Path) -> io::Result<()> {
    let is_letter = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "eml");
    let mut letters: Vec<PathBuf> =
        std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).filter(is_letter).collect();
    // A name begins with the time.
    letters.sort();
    let surplus = letters.len().saturating_sub(OUTBOX_KEPT);
    letters.into_iter().take(surplus).try_for_each(std::fs::remove_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(change: impl FnOnce(&mut Config)) -> Config {
        let mut config = Config::default();
        change(&mut config);
        config
    }

    #[test]
    fn the_sender_is_the_configured_one_or_at_the_host_that_people_type() {
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
        let mailer = Mailer::start(&config(|config| config.data_dir = folder.path().to_owned())).unwrap();
        assert!(!mailer.is_smtp());
        mailer.send("ada@example.org", &Letter::test()).await.unwrap();
        let outbox = folder.path().join("outbox");
        let rights = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let letters = || std::fs::read_dir(&outbox).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
        assert_eq!((rights(&outbox), rights(&letters()[0])), (0o700, 0o600));
        for number in 0..OUTBOX_KEPT {
            std::fs::write(outbox.join(format!("20000101T000000.{number:03}Z-x.eml")), "old").unwrap();
        }
        mailer.send("ada@example.org", &Letter::test()).await.unwrap();
        let left = letters();
        assert_eq!(left.len(), OUTBOX_KEPT);
        assert_eq!(left.iter().filter(|path| !path.to_string_lossy().contains("20000101")).count(), 2);
    }

    #[tokio::test]
    async fn nothing_can_be_smuggled_into_the_headers() {
        let mailer = Mailer::start(&Config::default()).unwrap();
        for hostile in ["a@example.org\r\nBcc: b@example.org", "a@example.org, b@example.org", "", "nobody"] {
            assert!(mailer.message(hostile, &Letter::test()).is_err(), "{hostile:?}");
        }
        let mut letter = Letter::test();
        letter.subject = "Hello\r\nBcc: b@example.org".to_owned();
        let text = String::from_utf8(mailer.message("a@example.org", &letter).unwrap().formatted()).unwrap();
        let headers = text.split("\r\n\r\n").next().unwrap();
        assert!(headers.contains("Subject: ") && !headers.lines().any(|line| line.starts_with("Bcc")), "{headers}");
    }

    #[test]
    fn a_certificate_that_is_none_is_named() {
        let bad = config(|config| {
            config.mail.host = "mail.example.org".to_owned();
            config.mail.ca_file = "/nowhere/ca.pem".to_owned();
        });
        let error = way(&bad).err().unwrap();
        assert!(format!("{error:#}").starts_with("mail.ca_file: /nowhere/ca.pem"), "{error:#}");
    }
}
