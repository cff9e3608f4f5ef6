//! Certificates for tests, and clients that trust them.

use std::sync::Arc;

use chrono::{Datelike, TimeDelta, Utc};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateSigningRequestParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd,
};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName, pem::PemObject},
};
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream};

/// A certificate authority of one test.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

/// A certificate and its key, in PEM.
pub struct Issued {
    pub chain: String,
    pub key: String,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self { issuer: CertifiedIssuer::self_signed(params, key).unwrap() }
    }

    pub fn pem(&self) -> String {
        self.issuer.as_ref().pem()
    }

    /// For these names, from a day that is so far from today, until another.
    pub fn issue(&self, names: &[&str], days: [i64; 2]) -> Issued {
        let mut params = CertificateParams::new(names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>()).unwrap();
        limit(&mut params, days);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        Issued { chain: certificate.pem(), key: key.serialize_pem() }
    }

    /// What a request asks for, with the chain.
    pub fn sign(&self, mut request: CertificateSigningRequestParams, days: [i64; 2]) -> String {
        limit(&mut request.params, days);
        format!("{}{}", request.signed_by(&self.issuer).unwrap().pem(), self.pem())
    }

    /// What a client that trusts only this authority sees.
    pub fn client(&self, protocols: &[&str]) -> Arc<ClientConfig> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.pem().as_bytes()).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
        Arc::new(config)
    }
}

fn limit(params: &mut CertificateParams, days: [i64; 2]) {
    let day = |from_today: i64| {
        let day = Utc::now() + TimeDelta::days(from_today);
        date_time_ymd(day.year(), day.month() as u8, day.day() as u8)
    };
    (params.not_before, params.not_after) = (day(days[0]), day(days[1]));
}

/// A handshake for this name.
pub async fn connect(
    client: Arc<ClientConfig>,
    address: std::net::SocketAddr,
    name: &str,
) -> std::io::Result<TlsStream<TcpStream>> {
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from(name.to_owned()).unwrap();
    TlsConnector::from(client).connect(name, stream).await
}
