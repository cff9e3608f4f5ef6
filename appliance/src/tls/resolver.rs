//! Which certificate a connection gets.

use std::{collections::HashMap, sync::Arc};

use parking_lot::RwLock;
use rustls::{
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};

use super::{ACME_TLS, certificate::Certificate};

/// The certificate that is shown now, and those that prove to an ACME server that names lead here (RFC 8737).
#[derive(Debug, Default)]
pub struct Resolver {
    shown: RwLock<Option<Arc<Certificate>>>,
    proofs: RwLock<HashMap<String, Arc<CertifiedKey>>>,
}

impl Resolver {
    pub fn shown(&self) -> Option<Arc<Certificate>> {
        self.shown.read().clone()
    }

    pub fn show(&self, certificate: Certificate) {
        *self.shown.write() = Some(Arc::new(certificate));
    }

    pub fn prove(&self, name: String, proof: CertifiedKey) {
        self.proofs.write().insert(name, Arc::new(proof));
    }

    pub fn forget_proofs(&self) {
        self.proofs.write().clear();
    }
}

impl ResolvesServerCert for Resolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let mut protocols = hello.alpn().into_iter().flatten();
        if protocols.next() == Some(ACME_TLS) && protocols.next().is_none() {
            return self.proofs.read().get(&hello.server_name()?.to_ascii_lowercase()).cloned();
        }
        self.shown().map(|certificate| Arc::clone(&certificate.key))
    }
}
