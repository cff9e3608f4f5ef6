//! Certificates by ACME, from a stand-in that checks everything.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, sync::Arc};

use morpion_appliance::config::Config;
use reqwest::StatusCode;
use serde_json::json;
use tempfile::TempDir;

use crate::{
    acme_server::AcmeServer,
    certificates::connect,
    free_address::free_address,
    server::{NAME, Server, until},
};

fn by(acme: &AcmeServer, config: &mut Config) {
    config.tls.acme.domains = vec![NAME.to_owned(), "www.example.org".to_owned()];
    config.tls.acme.contact = "operator@example.org".to_owned();
    config.tls.acme.directory_url = acme.directory();
    acme.lead_names_to(config.server.listen);
}

async fn start(acme: &AcmeServer, folder: &Arc<TempDir>) -> Server {
    Server::of(Arc::clone(folder), |config| by(acme, config)).await
}

/// Whether a client that trusts the issuer can connect by this name.
async fn serves(server: &Server, acme: &AcmeServer, name: &str) -> bool {
    connect(acme.authority.client(&["h2"]), server.address, name).await.is_ok()
}

/// All files below the folder of ACME.
fn stored(folder: &TempDir) -> Vec<PathBuf> {
    let servers = fs::read_dir(folder.path().join("acme")).unwrap();
    let files = servers.flat_map(|server| fs::read_dir(server.unwrap().path()).unwrap());
    files.map(|file| file.unwrap().path()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_ordered_served_stored_and_used_again() {
    let (acme, folder) = (AcmeServer::start().await, Arc::new(TempDir::new().unwrap()));
    let server = start(&acme, &folder).await;
    until("the certificate is served", async || serves(&server, &acme, NAME).await).await;
    assert!(serves(&server, &acme, "www.example.org").await);
    let response = server.browser(&acme.authority).get(server.url("/healthz")).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(acme.contacts(), [json!(["mailto:operator@example.org"])]);
    assert_eq!(acme.fulfilled(), [[NAME, "www.example.org"]]);
    assert!(acme.refusals().iter().all(|kind| kind == "badNonce"), "{:?}", acme.refusals());
    assert_eq!(server.app.health.notices(), Vec::<String>::new());
    let files = stored(&folder);
    assert_eq!(files.len(), 2, "account and certificate");
    for file in files {
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
    connect(acme.authority.client(&["acme-tls/1"]), server.address, NAME).await.expect_err("proofs are forgotten");
    drop(server);

    // The next start needs no ACME server.
    acme.set_down(true);
    let server = start(&acme, &folder).await;
    assert!(serves(&server, &acme, NAME).await);
    assert_eq!(acme.fulfilled().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_in_its_last_third_is_renewed_and_kept_while_the_server_is_down() {
    let (acme, folder) = (AcmeServer::start().await, Arc::new(TempDir::new().unwrap()));
    acme.issue_for([-80, 10]);
    let server = start(&acme, &folder).await;
    until("the certificate is served", async || serves(&server, &acme, NAME).await).await;
    let expires = |server: &Server| server.app.health.notices().iter().any(|notice| notice.contains("expires at"));
    assert!(expires(&server));

    acme.set_down(true);
    let tls = server.app.tls.as_ref().unwrap();
    tls.reload();
    let fails = async || server.app.health.notices().iter().any(|notice| notice.contains("could be had by ACME"));
    until("the failed renewal is reported", fails).await;
    assert!(serves(&server, &acme, NAME).await, "the old one stays");

    // A server that is reinstalled does not know the account any more: the next attempt makes another.
    acme.set_down(false);
    acme.forget_accounts();
    acme.issue_for([-1, 90]);
    until("it is renewed", async || {
        tls.reload();
        !expires(&server) && server.app.health.notices().is_empty()
    })
    .await;
    assert!(acme.refusals().iter().any(|kind| kind == "accountDoesNotExist"));
    assert_eq!(acme.contacts().len(), 1);
    assert_eq!(acme.fulfilled().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_lead_elsewhere_are_not_proven_and_the_log_is_told_why() {
    let (acme, folder) = (AcmeServer::start().await, Arc::new(TempDir::new().unwrap()));
    let elsewhere = free_address();
    let server = Server::of(Arc::clone(&folder), |config| {
        by(&acme, config);
        acme.lead_names_to(elsewhere);
    })
    .await;
    until("the failed order is reported", async || server.app.health.notices().len() == 2).await;
    let notices = server.app.health.notices();
    assert!(
        notices[0].contains("no TLS certificate yet") && notices[1].contains("could be had by ACME"),
        "{notices:?}"
    );
    assert!(!serves(&server, &acme, NAME).await);
    assert!(acme.fulfilled().is_empty());

    acme.lead_names_to(server.address);
    server.app.tls.as_ref().unwrap().reload();
    until("the certificate is served", async || serves(&server, &acme, NAME).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_name_or_a_damaged_file_leads_to_another_order() {
    let (acme, folder) = (AcmeServer::start().await, Arc::new(TempDir::new().unwrap()));
    drop({
        let server = start(&acme, &folder).await;
        until("the certificate is served", async || serves(&server, &acme, NAME).await).await;
        server
    });
    let added = "new.example.org";
    let server = Server::of(Arc::clone(&folder), |config| {
        by(&acme, config);
        config.tls.acme.domains.push(added.to_owned());
    })
    .await;
    assert!(serves(&server, &acme, NAME).await, "the old one is served meanwhile");
    until("the new name is served", async || serves(&server, &acme, added).await).await;
    drop(server);

    for file in stored(&folder).into_iter().filter(|file| file.ends_with("certificate.pem")) {
        fs::write(file, "nonsense").unwrap();
    }
    let server = start(&acme, &folder).await;
    until("the certificate is served", async || serves(&server, &acme, NAME).await).await;
    assert_eq!(acme.fulfilled().len(), 3);
}
