//! The SMTP server that letters are handed to.
//!
//! Not lettre's own transport and pool: those wait for an answer without end, so that a server that is silent would hold
//! its place for ever.

use std::time::Duration;

use anyhow::Context;
use lettre::{
    Message,
    transport::smtp::{
        Error,
        authentication::{Credentials, DEFAULT_MECHANISMS},
        client::{AsyncSmtpConnection, Certificate, Tls, TlsParameters},
        extension::ClientId,
    },
};
use parking_lot::Mutex;
use tokio::time::{Instant, timeout};

use super::{hello, schedule::MAX_CONCURRENT};
use crate::config::{Config, MailSecurity};

/// For a connection to the server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// For a letter, from the connection to the last answer. Servers take a while to look for spam before they answer.
const LETTER_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a connection is kept for the next letter. Servers close idle ones after some minutes (RFC 5321, 4.5.3.2.7: at
/// least five).
const KEPT_FOR: Duration = Duration::from_secs(30);

/// Why a letter was not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// Trying again cannot help (RFC 5321, 4.2.1: 5yz).
    #[error("{0}")]
    Permanent(String),
    /// The server is away, slow, or asks for another try (4yz), as greylisting does.
    #[error("{0}")]
    Temporary(String),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let text = format!("the SMTP server refused the mail: {}", with_causes(&error));
        // 421 says that the server ends the connection; the letter may be good. Not of the server: what lettre itself finds
        // impossible, such as an address beyond ASCII for a server without SMTPUTF8.
        if error.is_permanent() || error.is_client() { Self::Permanent(text) } else { Self::Temporary(text) }
    }
}

pub(super) struct SmtpServer {
    host: String,
    port: u16,
    tls: Tls,
    hello: ClientId,
    credentials: Option<Credentials>,
    /// Connections after a letter that was taken, with the time: only these are known to be in order.
    idle: Mutex<Vec<(AsyncSmtpConnection, Instant)>>,
}

impl SmtpServer {
    /// # Errors
    /// `mail.ca_file` cannot be used.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let mail = &config.mail;
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
        let credentials = (!mail.username.is_empty())
            .then(|| Credentials::new(mail.username.clone(), mail.password.expose().to_owned()));
        let (host, port) = (mail.host.clone(), mail.port);
        Ok(Self { host, port, tls, hello: hello(config), credentials, idle: Mutex::default() })
    }

    /// Hands a letter over and returns the server's answer.
    pub async fn send(&self, message: &Message) -> Result<String, Refusal> {
        let attempt = async {
            let mut connection = self.connection().await?;
            let answer = connection.send(message.envelope(), &message.formatted()).await?;
            Ok::<_, Refusal>((connection, answer))
        };
        let (connection, answer) = within_time(attempt).await?;
        let mut idle = self.idle.lock();
        if idle.len() < MAX_CONCURRENT {
            idle.push((connection, Instant::now()));
        }
        let words: Vec<&str> = answer.message().collect();
        Ok(format!("accepted by the SMTP server: {} {}", answer.code(), words.join(" ")))
    }

    /// Connects and signs in, as before a letter.
    pub async fn check(&self) -> Result<(), Refusal> {
        within_time(async {
            let mut connection = self.connect().await?;
            connection.quit().await?;
            Ok(())
        })
        .await
    }

    async fn connection(&self) -> Result<AsyncSmtpConnection, Error> {
        loop {
            let kept = {
                let mut idle = self.idle.lock();
                idle.retain(|(_, since)| since.elapsed() < KEPT_FOR);
                idle.pop()
            };
            match kept {
                Some((mut connection, _)) => {
                    if connection.test_connected().await {
                        return Ok(connection);
                    }
                }
                None => return self.connect().await,
            }
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let wrapper = match &self.tls {
            Tls::Wrapper(tls) => Some(tls.clone()),
            _ => None,
        };
        let server = (self.host.as_str(), self.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, Some(CONNECT_TIMEOUT), &self.hello, wrapper, None).await?;
        if let Tls::Required(tls) = &self.tls {
            connection.starttls(tls.clone(), &self.hello).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(connection)
    }
}

async fn within_time<T>(attempt: impl Future<Output = Result<T, Refusal>>) -> Result<T, Refusal> {
    let too_slow =
        |_| Refusal::Temporary(format!("the SMTP server did not answer within {} s", LETTER_TIMEOUT.as_secs()));
    timeout(LETTER_TIMEOUT, attempt).await.map_err(too_slow)?
}

/// The error with its causes, which contain the reason.
fn with_causes(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}
