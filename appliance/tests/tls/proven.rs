//! Whether a name leads to whoever ordered a certificate for it: TLS-ALPN-01 (RFC 8737), from the side that checks.

use std::{net::SocketAddr, sync::Arc};

use rustls::{
    ClientConfig, DigitallySignedStruct, Error, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, ring, verify_tls13_signature_with_raw_key},
    pki_types::{CertificateDer, ServerName, SubjectPublicKeyInfoDer, UnixTime},
    version::TLS13,
};
use x509_parser::{
    extensions::{GeneralName, ParsedExtension},
    oid_registry::Oid,
    parse_x509_certificate,
};

use crate::certificates::connect;

const ACME_TLS: &[u8] = b"acme-tls/1";

/// Connects for this name, and looks for the digest in the certificate.
pub async fn check(address: SocketAddr, name: &str, digest: &[u8]) -> Result<(), String> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider)).with_protocol_versions(&[&TLS13]);
    let verifier = Arc::new(SelfSigned(provider));
    let mut client = builder.unwrap().dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    client.alpn_protocols = vec![ACME_TLS.to_vec()];
    let stream = connect(Arc::new(client), address, name).await.map_err(|error| format!("no handshake: {error}"))?;
    let connection = stream.get_ref().1;
    if connection.alpn_protocol() != Some(ACME_TLS) {
        return Err("acme-tls/1 was not chosen".to_owned());
    }
    let certificate = &connection.peer_certificates().unwrap_or_default()[0];
    let (_, certificate) = parse_x509_certificate(certificate).map_err(|error| error.to_string())?;
    certificate.verify_signature(None).map_err(|_| "it is not signed by its own key")?;
    let names = certificate.subject_alternative_name().ok().flatten().ok_or("it has no name")?;
    if names.value.general_names != [GeneralName::DNSName(name)] {
        return Err(format!("it is for {:?}", names.value.general_names));
    }
    let identifier = Oid::from(&[1, 3, 6, 1, 5, 5, 7, 1, 31]).unwrap();
    let extension = certificate.extensions().iter().find(|extension| extension.oid == identifier);
    let extension = extension.ok_or("it has no acmeIdentifier")?;
    let is_unparsed = matches!(extension.parsed_extension(), ParsedExtension::UnsupportedExtension { .. });
    // An OCTET STRING of 32 bytes.
    if !extension.critical || !is_unparsed || extension.value != [&[4, 32], digest].concat() {
        return Err("its acmeIdentifier is wrong".to_owned());
    }
    Ok(())
}

/// Takes any certificate, since what counts is in it; the handshake's signature is checked.
#[derive(Debug)]
struct SelfSigned(Arc<CryptoProvider>);

impl ServerCertVerifier for SelfSigned {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General("only TLS 1.3 is offered".to_owned()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let (_, certificate) =
            parse_x509_certificate(certificate).map_err(|error| Error::General(error.to_string()))?;
        let key = SubjectPublicKeyInfoDer::from(certificate.public_key().raw);
        verify_tls13_signature_with_raw_key(message, &key, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
