//! TLS at `server.listen`: the certificate, from files or by ACME, and its replacement while the server runs.
//! See `docs/hosting/tls.md`.

mod acme;
mod certificate;
mod files;
mod resolver;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use rustls::{ServerConfig, crypto::ring};
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;

use crate::{
    clock::Clock,
    config::{Config, ConfigError},
};
use acme::AcmeClient;
use certificate::Certificate;
use files::CertificateFiles;
use resolver::Resolver;

/// The protocol of connections by which an ACME server checks a name; nothing is served on them.
pub const ACME_TLS: &[u8] = b"acme-tls/1";

/// The server's certificate.
#[derive(Debug)]
pub struct Tls {
    /// Of `server.public_url`, if it is set.
    host: Option<String>,
    source: Source,
    resolver: Arc<Resolver>,
    clock: Clock,
    /// Why it could not be replaced, in a sentence for operators without paths.
    failure: Mutex<Option<String>>,
    /// It is to be looked for a new one now.
    reload: Notify,
}

#[derive(Debug)]
enum Source {
    Files(CertificateFiles),
    Acme(AcmeClient),
}

impl Source {
    /// `None` without TLS.
    fn configured(config: &Config) -> Result<Option<Self>, ConfigError> {
        check_keys(config)?;
        if config.tls.acme.is_on() {
            return Ok(Some(Self::Acme(AcmeClient::configured(config)?)));
        }
        Ok(CertificateFiles::configured(config).map(Self::Files))
    }

    /// The certificate that is stored; by ACME there may be none yet.
    fn load(&self) -> Result<Option<Certificate>, ConfigError> {
        match self {
            Self::Files(files) => files.load().map(Some),
            Self::Acme(acme) => Ok(acme.stored()),
        }
    }
}

/// Checks the settings of TLS, and the files that they name.
///
/// # Errors
/// The first that cannot be used.
pub fn check(config: &Config) -> Result<(), ConfigError> {
    Source::configured(config)?.map_or(Ok(None), |source| source.load()).map(drop)
}

/// What is wrong with the stored certificate at this time, for commands that run without the server.
pub fn notices(config: &Config, now: DateTime<Utc>) -> Vec<String> {
    match Source::configured(config).and_then(|source| source.map_or(Ok(None), |source| source.load())) {
        Ok(Some(certificate)) => certificate.notices(public_host(config).as_deref(), now),
        // `check` says it.
        Ok(None) | Err(_) => vec![],
    }
}

/// Until when the stored certificate is valid, if there is one.
pub fn valid_until(config: &Config) -> Option<DateTime<Utc>> {
    Some(Source::configured(config).ok()??.load().ok()??.not_after)
}

fn check_keys(config: &Config) -> Result<(), ConfigError> {
    let wrong = |key, reason: &str| Err(ConfigError::Together { key, reason: reason.to_owned() });
    let (tls, public_url) = (&config.tls, &config.server.public_url);
    if tls.cert_file.is_empty() != tls.key_file.is_empty() {
        return wrong("tls", "cert_file and key_file are given together");
    }
    if tls.acme.is_on() && !tls.cert_file.is_empty() {
        return wrong("tls", "the certificate comes either from cert_file and key_file or by acme; keep one of them");
    }
    if tls.is_on() && public_url.as_ref().is_some_and(|url| !url.is_secure()) {
        return wrong("server.public_url", "with [tls] it begins with https://");
    }
    if config.server.http_listen.is_some() && !config.is_secure() {
        return wrong("server.http_listen", "it redirects to HTTPS, so server.public_url begins with https://");
    }
    Ok(())
}

fn public_host(config: &Config) -> Option<String> {
    config.server.public_url.as_ref().map(|url| url.host().to_owned())
}

impl Tls {
    /// `None` without TLS.
    ///
    /// # Errors
    /// As [`check`].
    pub fn open(config: &Config, clock: Clock) -> Result<Option<Arc<Self>>, ConfigError> {
        let Some(source) = Source::configured(config)? else { return Ok(None) };
        let resolver = Arc::new(Resolver::default());
        if let Some(certificate) = source.load()? {
            resolver.show(certificate);
        }
        let (failure, reload) = (Mutex::default(), Notify::new());
        Ok(Some(Arc::new(Self { host: public_host(config), source, resolver, clock, failure, reload })))
    }

    pub fn acceptor(&self) -> TlsAcceptor {
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let mut config = builder
            .with_safe_default_protocol_versions()
            .expect("ring has the ciphers of TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_cert_resolver(Arc::<Resolver>::clone(&self.resolver));
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        if matches!(self.source, Source::Acme(_)) {
            config.alpn_protocols.push(ACME_TLS.to_vec());
        }
        TlsAcceptor::from(Arc::new(config))
    }

    /// Looks for a new certificate now.
    pub fn reload(&self) {
        self.reload.notify_one();
    }

    /// One sentence for each problem, without paths.
    pub fn notices(&self) -> Vec<String> {
        let mut notices = match self.resolver.shown() {
            Some(certificate) => certificate.notices(self.host.as_deref(), self.clock.wall()),
            None => vec!["There is no TLS certificate yet, so nobody can connect.".to_owned()],
        };
        notices.extend(self.failure.lock().clone());
        notices
    }

    /// Replaces the certificate when there is a new one, until it is dropped.
    pub async fn run(self: Arc<Self>) {
        match &self.source {
            Source::Files(files) => self.watch(files).await,
            Source::Acme(acme) => self.renew(acme).await,
        }
    }

    fn replace(&self, certificate: Certificate) {
        tracing::info!(until = %certificate.not_after, "there is a new TLS certificate");
        self.resolver.show(certificate);
        *self.failure.lock() = None;
        for notice in self.notices() {
            tracing::warn!("{notice}");
        }
    }
}

#[cfg(test)]
mod tests;
