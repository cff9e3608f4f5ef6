//! A certificate for benches with TLS.

use std::{io::Write, net::Ipv4Addr, sync::Arc};

use rustls::{ClientConfig, RootCertStore, pki_types::CertificateDer};
use tokio_rustls::TlsConnector;

/// A certificate for this machine's own address, and its key.
pub struct Certificate {
    der: CertificateDer<'static>,
    chain: tempfile::NamedTempFile,
    key: tempfile::NamedTempFile,
}

impl Certificate {
    pub fn new() -> anyhow::Result<Self> {
        let made = rcgen::generate_simple_self_signed([Ipv4Addr::LOCALHOST.to_string()])?;
        let (mut chain, mut key) = (tempfile::NamedTempFile::new()?, tempfile::NamedTempFile::new()?);
        chain.write_all(made.cert.pem().as_bytes())?;
        key.write_all(made.signing_key.serialize_pem().as_bytes())?;
        Ok(Self { der: made.cert.der().clone(), chain, key })
    }

    /// What a server is told of it.
    pub fn settings(&self) -> String {
        format!("[tls]\ncert_file = {:?}\nkey_file = {:?}\n", self.chain.path(), self.key.path())
    }

    /// Trusts only this certificate.
    pub fn connector(&self) -> anyhow::Result<TlsConnector> {
        let mut roots = RootCertStore::empty();
        roots.add(self.der.clone())?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(TlsConnector::from(Arc::new(config)))
    }
}
