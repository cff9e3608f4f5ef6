//! A certificate with its key, and what browsers would have against it.

use std::{path::Path, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use rustls::{
    client::verify_server_name,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject},
    server::ParsedCertificate,
    sign::CertifiedKey,
};

/// Files that are longer contain something else.
const MAX_PEM: u64 = 1 << 20;

/// Operators are warned this long before the end, or a sixth of the certificate's life if that is shorter.
const WARN_BEFORE: TimeDelta = TimeDelta::days(14);

#[derive(Debug)]
pub struct Certificate {
    pub key: Arc<CertifiedKey>,
    pub not_before: DateTime<Utc>,
    pub not_after: DateTime<Utc>,
}

impl Certificate {
    /// The first certificate of the chain with the first key, both in PEM.
    ///
    /// # Errors
    /// What is wrong, as the end of a sentence that begins with the file: in the chain, or in the key.
    pub fn parse(chain: &[u8], key: &[u8]) -> Result<Self, InvalidPem> {
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(chain)
            .collect::<Result<_, _>>()
            .map_err(|error| InvalidPem::Chain(format!("is not PEM: {error}")))?;
        let Some(first) = certificates.first() else {
            return Err(InvalidPem::Chain("contains no certificate in PEM".to_owned()));
        };
        let unreadable = || InvalidPem::Chain("contains something else than an X.509 certificate".to_owned());
        let (_, parsed) = x509_parser::parse_x509_certificate(first).map_err(|_| unreadable())?;
        let validity = parsed.validity();
        let time = |of: x509_parser::time::ASN1Time| DateTime::from_timestamp(of.timestamp(), 0);
        let (Some(not_before), Some(not_after)) = (time(validity.not_before), time(validity.not_after)) else {
            return Err(unreadable());
        };
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| {
            InvalidPem::Key(format!("contains no private key in PEM that is readable without a password: {error}"))
        })?;
        let key =
            CertifiedKey::from_der(certificates, key, &ring::default_provider()).map_err(|error| match error {
                rustls::Error::InconsistentKeys(_) => InvalidPem::Key("is not the key of the certificate".to_owned()),
                error => InvalidPem::Key(format!("cannot be used: {error}")),
            })?;
        Ok(Self { key: Arc::new(key), not_before, not_after })
    }

    /// Whether browsers accept it for this host.
    pub fn is_for(&self, host: &str) -> bool {
        let Ok(name) = ServerName::try_from(host.trim_matches(['[', ']'])) else { return false };
        let parsed = self.key.end_entity_cert().and_then(ParsedCertificate::try_from);
        parsed.is_ok_and(|parsed| verify_server_name(&parsed, &name).is_ok())
    }

    /// One sentence for each problem at this time, for operators; a host if one is configured.
    pub fn notices(&self, host: Option<&str>, now: DateTime<Utc>) -> Vec<String> {
        let mut notices = vec![];
        let until = self.not_after.format("%F %T UTC");
        let warn_before = WARN_BEFORE.min((self.not_after - self.not_before) / 6);
        if now < self.not_before {
            let from = self.not_before.format("%F %T UTC");
            notices.push(format!("The TLS certificate is not valid before {from}: is this machine's clock right?"));
        } else if now >= self.not_after {
            notices.push(format!("The TLS certificate expired at {until}, so browsers refuse it; replace it."));
        } else if now >= self.not_after - warn_before {
            notices.push(format!("The TLS certificate expires at {until}; replace it in time."));
        }
        if let Some(host) = host.filter(|host| !self.is_for(host)) {
            notices.push(format!(
                "The TLS certificate is not for {host}, the host of server.public_url, so browsers refuse it."
            ));
        }
        notices
    }
}

/// Which of the two cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvalidPem {
    Chain(String),
    Key(String),
}

/// A file of PEM.
///
/// # Errors
/// Why it cannot be read, as the end of a sentence that begins with the file.
pub fn read_pem(path: &Path) -> Result<Vec<u8>, String> {
    let read = || {
        if std::fs::metadata(path)?.len() > MAX_PEM {
            return Ok(None);
        }
        std::fs::read(path).map(Some)
    };
    match read() {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err("is longer than 1 MiB, so it is no certificate or key".to_owned()),
        Err(error) => Err(format!("cannot be read: {error}; fix the path or its permissions")),
    }
}
