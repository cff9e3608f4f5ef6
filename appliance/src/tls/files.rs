//! Certificates from files.

use std::{io, os::unix::fs::MetadataExt, path::PathBuf, time::Duration};

use tokio::{fs, time::sleep};

use super::{
    Tls,
    certificate::{Certificate, InvalidPem, read_pem},
};
use crate::config::{Config, ConfigError};

/// How often the files are looked at.
const CHECK_EVERY: Duration = Duration::from_secs(2);

const CERT_FILE: &str = "tls.cert_file";
const KEY_FILE: &str = "tls.key_file";

#[derive(Debug, Clone)]
pub struct CertificateFiles {
    chain: PathBuf,
    key: PathBuf,
}

/// What changes when one of the files is written or replaced: inode, seconds, nanoseconds and size of each. `None` for
/// one that cannot be looked at.
type Stamps = [Option<(u64, i64, i64, u64)>; 2];

impl CertificateFiles {
    pub fn configured(config: &Config) -> Option<Self> {
        config.certificate_files().map(|(chain, key)| Self { chain, key })
    }

    pub fn load(&self) -> Result<Certificate, ConfigError> {
        let chain = read_pem(&self.chain).map_err(|reason| ConfigError::file(CERT_FILE, &self.chain, &reason))?;
        let key = read_pem(&self.key).map_err(|reason| ConfigError::file(KEY_FILE, &self.key, &reason))?;
        Certificate::parse(&chain, &key).map_err(|invalid| match invalid {
            InvalidPem::Chain(reason) => ConfigError::file(CERT_FILE, &self.chain, &reason),
            InvalidPem::Key(reason) => ConfigError::file(KEY_FILE, &self.key, &reason),
        })
    }

    async fn stamps(&self) -> Stamps {
        let stamp = async |path| {
            let found: io::Result<std::fs::Metadata> = fs::metadata(path).await;
            found.ok().map(|found| (found.ino(), found.mtime(), found.mtime_nsec(), found.size()))
        };
        [stamp(&self.chain).await, stamp(&self.key).await]
    }
}

impl Tls {
    /// Takes the files when they change, or when it is asked for.
    pub(super) async fn watch(&self, files: &CertificateFiles) {
        let (mut taken, mut seen) = (None, files.stamps().await);
        loop {
            let is_asked = tokio::select! {
                () = sleep(CHECK_EVERY) => false,
                () = self.reload.notified() => true,
            };
            let stamps = files.stamps().await;
            // One is replaced after the other: the two belong together once nothing has changed since the last look.
            let is_settled = std::mem::replace(&mut seen, stamps) == stamps;
            if !is_asked && (!is_settled || taken == Some(stamps)) {
                continue;
            }
            taken = Some(stamps);
            self.take(files).await;
        }
    }

    async fn take(&self, files: &CertificateFiles) {
        let of_files = files.clone();
        let loaded = tokio::task::spawn_blocking(move || of_files.load()).await;
        let Ok(loaded) = loaded else { return };
        match loaded {
            Ok(certificate) if self.resolver.shown().is_some_and(|shown| shown.key.cert == certificate.key.cert) => {
                *self.failure.lock() = None;
            }
            Ok(certificate) => self.replace(certificate),
            Err(error) => {
                tracing::error!(%error, "a new TLS certificate cannot be used; the one before stays");
                let notice = "A new TLS certificate cannot be used, so the one before stays; the log says why.";
                *self.failure.lock() = Some(notice.to_owned());
            }
        }
    }
}
