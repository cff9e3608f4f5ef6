//! Certificates by ACME (RFC 8555): names are proven by TLS-ALPN (RFC 8737), on the port that serves anyway.

use std::{path::PathBuf, pin::Pin, time::Duration};

use anyhow::{Context, bail};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use instant_acme::{
    Account, AccountCredentials, AuthorizationStatus, BodyWrapper, BytesResponse, ChallengeType, Error as AcmeError,
    HttpClient, Identifier, NewAccount, NewOrder, Order, OrderStatus, RetryPolicy,
};
use poem::http::{Request, Response};
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use rustls::{crypto::ring, pki_types::PrivateKeyDer, sign::CertifiedKey};
use sha2::{Digest, Sha256};
use tokio::time::{sleep, timeout};

use super::{
    Tls,
    certificate::{Certificate, read_pem},
    resolver::Resolver,
};
use crate::{
    config::{Acme, Config, ConfigError},
    private_file,
};

const CA_FILE: &str = "tls.acme.ca_file";

/// For one request to the ACME server.
const REQUEST_WITHIN: Duration = Duration::from_secs(30);

/// Bytes of one answer; a certificate with its chain has some 5,000.
const MAX_ANSWER: usize = 1 << 20;

/// An ACME server is asked about an order until then; it may take its time to connect to every name.
const POLL: RetryPolicy = RetryPolicy::new().timeout(Duration::from_secs(120));

/// For a whole order.
const ORDER_WITHIN: Duration = Duration::from_secs(600);

/// After a failed order, four times as long after each further one. Let's Encrypt allows five failures an hour.
const FIRST_PAUSE: Duration = Duration::from_secs(60);
const LONGEST_PAUSE: Duration = Duration::from_secs(6 * 3600);

/// Whether the certificate is due is looked at this often: the machine may have slept.
const CHECK_EVERY: Duration = Duration::from_secs(600);

#[derive(Debug)]
pub struct AcmeClient {
    settings: Acme,
    http: reqwest::Client,
    /// Of what this ACME server gave; another one begins anew.
    folder: PathBuf,
}

impl AcmeClient {
    pub fn configured(config: &Config) -> Result<Self, ConfigError> {
        let settings = config.tls.acme.clone();
        let http = client(&settings)?;
        let server = Sha256::digest(&settings.directory_url);
        let name: String = server.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let folder = config.data_dir.join("acme").join(name);
        Ok(Self { settings, http, folder })
    }

    fn account_file(&self) -> PathBuf {
        self.folder.join("account.json")
    }

    /// The certificate with its chain and its key, in one file so that they always belong together.
    fn certificate_file(&self) -> PathBuf {
        self.folder.join("certificate.pem")
    }

    /// The certificate of the latest order.
    pub fn stored(&self) -> Option<Certificate> {
        let path = self.certificate_file();
        if !path.exists() {
            return None;
        }
        let parsed = read_pem(&path).map(|pem| Certificate::parse(&pem, &pem));
        match parsed {
            Ok(Ok(certificate)) => return Some(certificate),
            Ok(Err(invalid)) => tracing::warn!(?invalid, "the stored TLS certificate is not used"),
            Err(reason) => tracing::warn!(reason, "the stored TLS certificate is not used"),
        }
        None
    }

    /// How long until the last third of its life; `None` when a new one is needed now.
    fn wait_for(&self, shown: Option<&Certificate>, now: DateTime<Utc>) -> Option<Duration> {
        let shown = shown.filter(|shown| self.settings.domains.iter().all(|name| shown.is_for(name)))?;
        let due = shown.not_after - (shown.not_after - shown.not_before) / 3;
        (due - now).to_std().ok().filter(|wait| !wait.is_zero())
    }

    /// A new certificate, which is stored.
    async fn order(&self, resolver: &Resolver) -> anyhow::Result<Certificate> {
        let account = self.account().await?;
        let names: Vec<_> = self.settings.domains.iter().cloned().map(Identifier::Dns).collect();
        let mut order = account.new_order(&NewOrder::new(&names)).await.map_err(|error| self.refused(error))?;
        self.prove_all(&mut order, resolver).await?;
        if order.poll_ready(&POLL).await? != OrderStatus::Ready {
            bail!("{}", reasons(&mut order).await);
        }
        let key = KeyPair::generate()?;
        let mut request = CertificateParams::new(self.settings.domains.clone())?;
        request.distinguished_name = DistinguishedName::new();
        order.finalize_csr(request.serialize_request(&key)?.der()).await?;
        let chain = order.poll_certificate(&POLL).await?;
        let key = key.serialize_pem();
        let certificate = Certificate::parse(chain.as_bytes(), key.as_bytes())
            .map_err(|invalid| anyhow::anyhow!("what it issued cannot be used: {invalid:?}"))?;
        let path = self.certificate_file();
        private_file::write(&path, &format!("{key}{chain}"))
            .with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(certificate)
    }

    /// The account of this server, made at the first order.
    async fn account(&self) -> anyhow::Result<Account> {
        let path = self.account_file();
        let builder = || Account::builder_with_http(Box::new(Http(self.http.clone())));
        if let Some(text) = private_file::read(&path).with_context(|| format!("{} cannot be read", path.display()))? {
            let stored: AccountCredentials = serde_json::from_str(&text)
                .with_context(|| format!("{} is no ACME account; remove it to make another", path.display()))?;
            return Ok(builder().from_credentials(stored).await?);
        }
        let address = format!("mailto:{}", self.settings.contact);
        let contact = if self.settings.contact.is_empty() { &[][..] } else { &[address.as_str()] };
        let new = NewAccount { contact, terms_of_service_agreed: true, only_return_existing: false };
        let (account, credentials) = builder().create(&new, self.settings.directory_url.clone(), None).await?;
        private_file::write(&path, &serde_json::to_string(&credentials)?)
            .with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(account)
    }

    /// A server that no longer knows the account gets another one with the next order.
    fn refused(&self, error: AcmeError) -> anyhow::Error {
        let is_forgotten = |kind: &String| kind.ends_with(":accountDoesNotExist");
        if matches!(&error, AcmeError::Api(problem) if problem.r#type.as_ref().is_some_and(is_forgotten)) {
            let _ = std::fs::remove_file(self.account_file());
        }
        error.into()
    }

    async fn prove_all(&self, order: &mut Order, resolver: &Resolver) -> anyhow::Result<()> {
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization?;
            match authorization.status {
                AuthorizationStatus::Valid => continue,
                AuthorizationStatus::Pending => {}
                status => bail!("the proof of a name is {status:?}"),
            }
            let challenge = authorization.challenge(ChallengeType::TlsAlpn01);
            let mut challenge = challenge.context("it does not offer the challenge tls-alpn-01")?;
            let name = challenge.identifier().to_string();
            let digest = challenge.key_authorization().digest();
            resolver.prove(name.clone(), proof(name, digest.as_ref())?);
            challenge.set_ready().await?;
        }
        Ok(())
    }
}

/// The certificate that proves a name to whoever connects for it.
fn proof(name: String, digest: &[u8]) -> anyhow::Result<CertifiedKey> {
    let mut params = CertificateParams::new([name])?;
    params.custom_extensions = vec![CustomExtension::new_acme_identifier(digest)];
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    let key = PrivateKeyDer::try_from(key.serialize_der()).map_err(anyhow::Error::msg)?;
    // Whether the two match cannot be checked: for rustls the extension is one that it would have to know.
    Ok(CertifiedKey::new(vec![certificate.der().clone()], ring::sign::any_ecdsa_type(&key)?))
}

/// What the ACME server says about an order that it does not fulfil.
async fn reasons(order: &mut Order) -> String {
    let mut reasons = vec![];
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let Ok(mut authorization) = authorization else { continue };
        // What was known of it is from before its proof.
        if authorization.refresh().await.is_err() {
            continue;
        }
        let name = authorization.identifier().to_string();
        let errors = authorization.challenges.iter().filter_map(|challenge| challenge.error.as_ref());
        reasons.extend(errors.map(|problem| format!("{name}: {problem}")));
    }
    if reasons.is_empty() { "it refuses the order and does not say why".to_owned() } else { reasons.join("; ") }
}

impl Tls {
    /// Orders a certificate when one is due, or when it is asked for and none is fresh.
    pub(super) async fn renew(&self, acme: &AcmeClient) {
        let mut pause = FIRST_PAUSE;
        loop {
            let wait = match acme.wait_for(self.resolver.shown().as_deref(), self.clock.wall()) {
                Some(wait) => wait.min(CHECK_EVERY),
                None if self.try_order(acme).await => {
                    pause = FIRST_PAUSE;
                    // A certificate that is due as soon as it is issued must not lead to one order after the other.
                    FIRST_PAUSE
                }
                None => {
                    let wait = pause;
                    pause = LONGEST_PAUSE.min(pause * 4);
                    wait
                }
            };
            tokio::select! {
                () = sleep(wait) => {}
                () = self.reload.notified() => {}
            }
        }
    }

    async fn try_order(&self, acme: &AcmeClient) -> bool {
        let ordered = timeout(ORDER_WITHIN, acme.order(&self.resolver)).await;
        self.resolver.forget_proofs();
        let ordered = ordered.unwrap_or_else(|_| Err(anyhow::anyhow!("the order took too long")));
        match ordered {
            Ok(certificate) => {
                self.replace(certificate);
                true
            }
            Err(error) => {
                let error = format!("{error:#}");
                let server = &acme.settings.directory_url;
                tracing::warn!(error, server, "no TLS certificate could be had by ACME; trying again");
                let notice = "No new TLS certificate could be had by ACME; it is tried again, and the log says why.";
                *self.failure.lock() = Some(notice.to_owned());
                false
            }
        }
    }
}

fn client(settings: &Acme) -> Result<reqwest::Client, ConfigError> {
    let mut builder = reqwest::Client::builder()
        .timeout(REQUEST_WITHIN)
        .redirect(reqwest::redirect::Policy::none())
        .https_only(settings.directory_url.starts_with("https:"));
    let wrong = |reason: String| ConfigError::file(CA_FILE, settings.ca_file.as_ref(), &reason);
    if !settings.ca_file.is_empty() {
        let pem = read_pem(settings.ca_file.as_ref()).map_err(wrong)?;
        let roots = reqwest::Certificate::from_pem_bundle(&pem).ok().filter(|roots| !roots.is_empty());
        for root in roots.ok_or_else(|| wrong("contains no certificate in PEM".to_owned()))? {
            builder = builder.add_root_certificate(root);
        }
    }
    builder.build().map_err(|error| wrong(format!("cannot be used: {error}")))
}

/// Our HTTP client as the library takes it.
struct Http(reqwest::Client);

impl HttpClient for Http {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, AcmeError>> + Send>> {
        let http = self.0.clone();
        Box::pin(async move { send(http, request).await.map_err(|error| AcmeError::Other(error.into())) })
    }
}

async fn send(http: reqwest::Client, request: Request<BodyWrapper<Bytes>>) -> anyhow::Result<BytesResponse> {
    let request = reqwest::Request::try_from(request.map(reqwest::Body::wrap))?;
    let mut response = http.execute(request).await?;
    let mut body = vec![];
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MAX_ANSWER {
            bail!("an answer is longer than {MAX_ANSWER} bytes");
        }
        body.extend_from_slice(&chunk);
    }
    let (parts, _) = Response::from(response).into_parts();
    Ok(BytesResponse { parts, body: Box::new(Bytes::from(body)) })
}
