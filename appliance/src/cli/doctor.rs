//! `morpion doctor`: checks everything that the server needs, one line each.

use std::{fmt, path::Path, time::Duration};

use anyhow::{Context, anyhow, bail};
use chrono::{DateTime, Utc};
use morpion_openapi::admin::OverviewAnswer;
use morpion_shell::{
    command_error::{CommandError, FailureKind},
    escape,
    output::Format,
};
use morpion_store::{DatabaseUrl, Store, StoreError};
use serde::Serialize;
use tokio::net::TcpStream;

use super::{
    api::{self, Api, reachable},
    cluster,
    config::warnings,
};
use crate::{
    account::{self, operator, provider::Provider},
    backup,
    billing::{plans, provider::Provider as Payments},
    clock::Clock,
    config::{Config, DRILL, LoadedConfig},
    disk,
    mail::Post,
    play,
    push::vapid::{KEY_FILE, VapidKey},
    storage, tls,
};

/// For network requests.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Sign-ins with a provider fail when the clocks are further apart.
const MAX_CLOCK_ERROR: i64 = 60;

/// Characters that a key of the server has at least.
const MIN_SECRET: usize = 32;

/// The program was released after this; a clock before it was never set.
const EARLIEST: &str = "2026-01-01T00:00:00Z";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Fine,
    /// It works, but perhaps not as intended.
    Note,
    Bad,
}

#[derive(Debug, Serialize)]
struct Finding {
    verdict: Verdict,
    part: &'static str,
    text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Fine => "ok",
            Verdict::Note => "note",
            Verdict::Bad => "BAD",
        };
        write!(f, "{verdict:<5} {:<9} {}", self.part, self.text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// Checks every part and prints the findings.
///
/// # Errors
/// How many parts are bad.
pub async fn run(loaded: &LoadedConfig, format: Format) -> anyhow::Result<()> {
    let config = &loaded.config;
    let mut findings = settings(loaded);
    findings.extend(config.is_drill.then(|| note("drill", DRILL)));
    if let Err(error) = storage::check_owner(&config.data_dir) {
        findings.push(finding("user", Err(error)));
        return print_all(&findings, format);
    }
    findings.push(finding("data", data_folder(config)));
    findings.push(finding("keys", keys(config)));
    if storage::is_open_to_others(&config.data_dir) {
        let folder = config.data_dir.display();
        findings.push(note("data", format!("other users have access to {folder}; the next start takes it from them")));
    }
    findings.push(finding("disk", disk::report(config)));
    findings.extend(certificate(config));
    findings.extend(encryption(config).await);
    findings.extend(store(config).await);
    findings.extend(server(config).await);
    findings.extend(nodes(config).await);
    findings.push(mail(config).await);
    findings.extend(provider(config).await);
    findings.push(payments(config).await);
    findings.push(clock(config).await);
    print_all(&findings, format)
}

fn print_all(findings: &[Finding], format: Format) -> anyhow::Result<()> {
    format.print_rows(findings, |findings| {
        findings.iter().map(|finding| format!("{}\n", escape::line(&finding.to_string()))).collect()
    })?;
    match findings.iter().filter(|finding| finding.verdict == Verdict::Bad).count() {
        0 => Ok(()),
        1 => bail!("1 problem found"),
        number => bail!("{number} problems found"),
    }
}

fn finding(part: &'static str, outcome: anyhow::Result<String>) -> Finding {
    match outcome {
        Ok(text) => Finding { verdict: Verdict::Fine, part, text },
        Err(error) => Finding { verdict: Verdict::Bad, part, text: format!("{error:#}") },
    }
}

fn note(part: &'static str, text: impl Into<String>) -> Finding {
    Finding { verdict: Verdict::Note, part, text: text.into() }
}

fn settings(loaded: &LoadedConfig) -> Vec<Finding> {
    let file = loaded.file.as_ref().map_or("no file".to_owned(), |file| file.display().to_string());
    let fine = format!("{file}; serves {}", loaded.config.public_origin());
    let mut findings = vec![Finding { verdict: Verdict::Fine, part: "config", text: fine }];
    if let Err(error) = account::check_files(&loaded.config) {
        findings.push(finding("config", Err(error.into())));
    }
    findings.extend(warnings(&loaded.config).into_iter().map(|text| note("config", text)));
    findings
}

fn data_folder(config: &Config) -> anyhow::Result<String> {
    let folder = &config.data_dir;
    if !folder.exists() {
        return Ok(format!("{} is made at the first start", folder.display()));
    }
    if !folder.is_dir() || !storage::is_writable(folder) {
        bail!("{} cannot be written by this user", folder.display());
    }
    Ok(format!("{} can be written", folder.display()))
}

/// The keys that the server keeps in the data folder.
fn keys(config: &Config) -> anyhow::Result<String> {
    let secret = secret_key(config)?;
    VapidKey::check(config)?;
    let path = config.data_dir.join(KEY_FILE);
    if path.exists() && storage::is_open_to_others(&path) {
        bail!("other users can read {}; run `chmod 600 {}`", path.display(), path.display());
    }
    Ok(secret)
}

fn secret_key(config: &Config) -> anyhow::Result<String> {
    let path = config.data_dir.join(account::SECRET_FILE);
    if config.server.secret_key.is_some() {
        return Ok("server.secret_key is set".to_owned());
    }
    if !path.exists() {
        return Ok(format!("{} is made at the first start", path.display()));
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    if text.trim().chars().count() < MIN_SECRET {
        bail!("{} is shorter than {MIN_SECRET} characters; restore it from a backup", path.display());
    }
    if storage::is_open_to_others(&path) {
        bail!("other users can read {}; run `chmod 600 {}`", path.display(), path.display());
    }
    Ok(format!("{} is there", path.display()))
}

/// The stored certificate; a running server may have a better reason to complain.
fn certificate(config: &Config) -> Vec<Finding> {
    if !config.tls.is_on() {
        return vec![];
    }
    if let Err(error) = tls::check(config) {
        return vec![finding("tls", Err(error.into()))];
    }
    let notices = tls::notices(config, Utc::now());
    if !notices.is_empty() {
        return notices.into_iter().map(|notice| finding("tls", Err(anyhow!(notice)))).collect();
    }
    vec![match tls::valid_until(config) {
        Some(until) => finding("tls", Ok(format!("the certificate is valid until {}", until.format("%F %T UTC")))),
        None => note("tls", "there is no certificate yet; the server orders it by ACME when it runs"),
    }]
}

/// Whether the database is encrypted, and the key fits. The key may be one that only the running server is given.
async fn encryption(config: &Config) -> Option<Finding> {
    let url = config.database_url();
    let folder = url.folder()?;
    let is_encrypted = morpion_store::is_encrypted(folder);
    let text = match backup::check_key(config) {
        Err(error)
            if matches!(error.downcast_ref(), Some(StoreError::KeyNeeded))
                && TcpStream::connect(reachable(config.server.listen)).await.is_ok() =>
        {
            "the database is encrypted; its key is not set for this command"
        }
        Err(error) => return Some(finding("key", Err(error))),
        Ok(()) if is_encrypted => "the database is encrypted, and storage.encryption_key is its key",
        Ok(()) if folder.exists() => "the database is not encrypted",
        Ok(()) if config.storage.encryption_key.is_some() => "the database will be encrypted",
        Ok(()) => "the database will not be encrypted",
    };
    Some(finding("key", Ok(text.to_owned())))
}

/// A running server has the store open and reports its health; otherwise a copy is opened here for a moment.
async fn store(config: &Config) -> Vec<Finding> {
    let mut notices = vec![];
    let mut findings = vec![finding("store", open_store(config, &mut notices).await)];
    if let DatabaseUrl::Folder(folder) = config.database_url() {
        notices.extend(storage::kept(&morpion_store::quarantined_logs(&folder)));
    }
    findings.extend(notices.into_iter().map(|text| note("store", text)));
    findings
}

async fn open_store(config: &Config, notices: &mut Vec<String>) -> anyhow::Result<String> {
    let address = reachable(config.server.listen);
    if TcpStream::connect(address).await.is_ok() {
        let answer = api::client()?.get(format!("{}/readyz", api::address(config))).send().await;
        let answer = answer.with_context(|| format!("what runs at {address} does not answer"))?;
        let status = answer.status();
        notices.extend(answer.text().await?.lines().skip(1).map(str::to_owned));
        if status.is_success() {
            return Ok(format!("the server at {address} runs and its store answers"));
        }
        bail!("the server at {address} runs, but its store does not answer ({status}); see its log");
    }
    let url = config.database_url();
    if let DatabaseUrl::Folder(folder) = &url
        && !folder.exists()
    {
        return Ok(format!("{} is made at the first start", folder.display()));
    }
    let DatabaseUrl::Folder(folder) = &url else { return Ok(format!("{url} begins empty at each start")) };
    let scratch = tempfile::tempdir().context("there is no folder for temporary files")?;
    let (size, free) = (bytes_in(folder)?, disk::free_at(scratch.path())?);
    if free < size.saturating_mul(2) {
        notices.push(format!(
            "The data was not opened: a copy of it, {size} bytes, does not fit into {}. Set TMPDIR to a folder with more \
             room.",
            scratch.path().display()
        ));
        return Ok(format!("{url} is there; no server runs at {address}"));
    }
    let (folder, copy, key) = (folder.clone(), scratch.path().to_owned(), config.storage.encryption_key.clone());
    let (path, copied) = (folder.display().to_string(), copy.join("db").display().to_string());
    // Damaged tables may make the database panic.
    let opened = tokio::spawn(async move {
        let store = Store::open_copy(&folder, &copy, key).await?;
        let found = (storage::notices(&store.health()), store.operator_tokens().await);
        let (written, read) = (store.heartbeat().await, play::check(&store).await);
        store.close().await?;
        written?;
        read?;
        anyhow::Ok((found.0, found.1?))
    })
    .await;
    let (found, tokens) = match opened {
        // What is damaged is damaged in the data too.
        Ok(opened) => opened.map_err(|error| anyhow!(format!("{error:#}").replace(&copied, &path)))?,
        Err(_) => bail!("{url} is damaged, so that it cannot be read; restore the latest backup"),
    };
    notices.extend(found);
    notices.extend(operator::warnings(&tokens, Utc::now()));
    Ok(format!("a copy of {url} opens and can be written; no server runs at {address}"))
}

/// All files below a folder.
pub(super) fn bytes_in(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { bytes_in(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

/// The warnings of a running server.
async fn server(config: &Config) -> Vec<Finding> {
    if TcpStream::connect(reachable(config.server.listen)).await.is_err() {
        return vec![];
    }
    let asked = async |api: &Api| api.read::<OverviewAnswer>("overview", serde_json::json!({})).await;
    match Api::with(config.clone(), asked).await {
        Ok(overview) => overview.warnings.into_iter().map(|warning| note("server", warning)).collect(),
        // Only the node that leads has a token for it.
        Err(error) if config.cluster.is_some() && is_refused(&error) => {
            vec![note("server", "its warnings are told on the node that leads")]
        }
        Err(error) => vec![finding("server", Err(error.context("the running server does not answer this command")))],
    }
}

fn is_refused(error: &anyhow::Error) -> bool {
    error.downcast_ref::<CommandError>().is_some_and(|refusal| refusal.kind == FailureKind::NotAllowed)
}

/// Whether the cluster has a leader, if this server is a node of one.
async fn nodes(config: &Config) -> Option<Finding> {
    Some(finding("cluster", cluster::check(config.cluster.as_ref()?).await))
}

async fn mail(config: &Config) -> Finding {
    let post = match Post::new(config) {
        Ok(post) => post,
        Err(error) => return finding("mail", Err(error)),
    };
    match post.check().await {
        Ok(text) if !post.is_smtp() => note("mail", text),
        outcome => finding("mail", outcome),
    }
}

/// Whether the providers answer and announce what a sign-in needs. Which sign-ins a running server refused, and why, is
/// among its warnings.
async fn provider(config: &Config) -> Vec<Finding> {
    let providers = match Provider::all(config, &Clock::default()) {
        Ok(providers) => providers,
        Err(error) => return vec![finding("provider", Err(error))],
    };
    if providers.is_empty() {
        return vec![finding("provider", Ok("none is configured; people sign in by email".to_owned()))];
    }
    let mut findings = vec![];
    for provider in &providers {
        findings.extend(one_provider(provider).await);
    }
    findings
}

async fn one_provider(provider: &Provider) -> Vec<Finding> {
    let oidc = provider.config();
    let section = if provider.id().is_empty() { String::new() } else { format!("{}.", provider.id()) };
    let issuer = &oidc.issuer;
    let notes = match provider.check().await {
        Ok(notes) => notes,
        Err(error) => {
            return vec![finding("provider", Err(anyhow!("{error:#} (identity.oidc.{section}issuer is {issuer})")))];
        }
    };
    if !notes.is_empty() {
        return notes.into_iter().map(|text| note("provider", text)).collect();
    }
    if oidc.client_secret.expose().is_empty() {
        let text = format!("{issuer} answers; without identity.oidc.{section}client_secret it may refuse codes");
        return vec![note("provider", text)];
    }
    vec![finding("provider", Ok(format!("{issuer} answers and has keys")))]
}

const NO_CODES: &str = "a card is entered with a verified email only, and no SMTP server is configured: hand out the codes \
                        in the folder outbox, or set billing.require_verified_email = false";

/// Whether Stripe accepts the key and has a price for each plan.
async fn payments(config: &Config) -> Finding {
    let settings = &config.billing;
    let provider = match Payments::new(settings) {
        Ok(Some(provider)) => provider,
        Ok(None) => return finding("payments", Ok("are not set up; an operator can still grant Pro".to_owned())),
        Err(error) => return finding("payments", Err(error)),
    };
    let mode = if settings.is_live() { "live" } else { "test" };
    match plans::check(&provider, settings).await {
        Ok(found) if found.iter().all(|plan| plan.price.is_some()) => {
            if settings.require_verified_email && config.mail.host.is_empty() {
                return note("payments", NO_CODES);
            }
            finding("payments", Ok(format!("{} takes the {mode} key and has a price for each plan", settings.api_base)))
        }
        Ok(_) => note("payments", "plans have no price at Stripe and cannot be bought; run `morpion billing sync`"),
        Err(error) => finding("payments", Err(error)),
    }
}

/// Compared with the provider's clock, if there is one: a wrong clock breaks its tokens.
async fn clock(config: &Config) -> Finding {
    let now = Utc::now();
    if EARLIEST.parse::<DateTime<Utc>>().is_ok_and(|earliest| now < earliest) {
        return finding("clock", Err(anyhow::anyhow!("it says {now}; set it, preferably with NTP")));
    }
    let Some((_, oidc)) = config.identity.providers().next() else {
        return finding("clock", Ok(format!("{}, compared with nobody's", now.format("%F %T UTC"))));
    };
    match clock_of(&oidc.issuer).await {
        Ok(theirs) => {
            let apart = (Utc::now() - theirs).num_seconds().abs();
            if apart > MAX_CLOCK_ERROR {
                let text = anyhow::anyhow!("it differs from the provider's by {apart} s; set it, preferably with NTP");
                return finding("clock", Err(text));
            }
            finding("clock", Ok("agrees with the provider's".to_owned()))
        }
        Err(_) => note("clock", "the provider did not say its time"),
    }
}

async fn clock_of(issuer: &str) -> anyhow::Result<DateTime<Utc>> {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(TIMEOUT).build()?;
    let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
    let response = client.get(address).send().await?;
    let date = response.headers().get("date").context("no date")?.to_str()?;
    Ok(DateTime::parse_from_rfc2822(date)?.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigSources;

    #[tokio::test]
    async fn a_fresh_server_has_no_problems() {
        let folder = tempfile::TempDir::new().unwrap();
        let data = folder.path().to_string_lossy().into_owned();
        let flags = vec![("data_dir", "--data-dir", data), ("server.listen", "--listen", "127.0.0.1:1".to_owned())];
        let loaded = ConfigSources { flags, ..ConfigSources::default() }.load().unwrap();
        run(&loaded, Format::Text).await.unwrap();
        let line = mail(&loaded.config).await.to_string();
        assert!(line.starts_with("note  mail      no SMTP server is configured;"), "{line}");
    }

    #[tokio::test]
    async fn problems_are_named() {
        let folder = tempfile::TempDir::new().unwrap();
        let mut config = Config::default();
        config.mail.host = "127.0.0.1".to_owned();
        config.mail.port = 1;
        config.identity.oidc.client_id = "client".to_owned();
        config.identity.oidc.issuer = "http://127.0.0.1:1".to_owned();
        assert_eq!(mail(&config).await.verdict, Verdict::Bad);
        let line = provider(&config).await[0].to_string();
        assert!(line.starts_with("BAD   provider  127.0.0.1 cannot be reached"), "{line}");
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        config.data_dir = file;
        assert_eq!(finding("data", data_folder(&config)).verdict, Verdict::Bad);
    }
}
