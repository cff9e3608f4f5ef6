//! Certificates that are replaced while the server runs, and those that cannot be used.

use std::fs;

use morpion_appliance::{
    config::Config,
    tls::{self, Tls},
};
use tempfile::TempDir;

use crate::{
    certificates::{Authority, Issued, connect},
    server::{NAME, Server, until},
};

/// The first certificate that a client gets.
async fn shown(server: &Server, authority: &Authority) -> Vec<u8> {
    let stream = connect(authority.client(&["h2"]), server.address, NAME).await.unwrap();
    stream.get_ref().1.peer_certificates().unwrap()[0].to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_files_are_taken_and_bad_ones_are_not() {
    let authority = Authority::new();
    let first = authority.issue(&[NAME], [-1, 90]);
    let server = Server::start(&first, |_| {}).await;
    let before = shown(&server, &authority).await;

    let second = authority.issue(&[NAME], [-1, 60]);
    server.replace(&second);
    until("the new certificate is shown", async || shown(&server, &authority).await != before).await;
    let now = shown(&server, &authority).await;

    // The chain of one with the key of another.
    let third = authority.issue(&[NAME], [-1, 30]);
    server.replace(&Issued { chain: third.chain.clone(), key: first.key });
    let complains = async || server.app.health.notices().iter().any(|notice| notice.contains("cannot be used"));
    until("the bad file is reported", complains).await;
    assert_eq!(shown(&server, &authority).await, now, "the one before stays");

    fs::remove_file(server.file("tls.key")).unwrap();
    server.app.tls.as_ref().unwrap().reload();
    assert_eq!(shown(&server, &authority).await, now, "also without a file");

    server.replace(&third);
    until("the repaired pair is shown", async || shown(&server, &authority).await != now).await;
    assert_eq!(server.app.health.notices(), Vec::<String>::new());
}

fn config(folder: &TempDir, chain: &str, key: &str) -> Config {
    fs::write(folder.path().join("chain.pem"), chain).unwrap();
    fs::write(folder.path().join("key.pem"), key).unwrap();
    let mut config = Config { data_dir: folder.path().to_owned(), ..Config::default() };
    config.server.public_url = Some(format!("https://{NAME}").parse().unwrap());
    config.tls.cert_file = "{data_dir}/chain.pem".to_owned();
    config.tls.key_file = "{data_dir}/key.pem".to_owned();
    config
}

#[test]
fn files_that_cannot_be_used_are_refused_in_one_line() {
    let (authority, folder) = (Authority::new(), TempDir::new().unwrap());
    let Issued { chain, key } = authority.issue(&[NAME], [-1, 90]);
    let other = authority.issue(&[NAME], [-1, 90]).key;
    let broken = chain.replace('M', "!");
    let no_certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let locked = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    let long = "x".repeat((1 << 20) + 1);
    for (chain, key, file, reason) in [
        ("", key.as_str(), "chain.pem", "contains no certificate in PEM"),
        ("\0\u{7f}\r\n", key.as_str(), "chain.pem", "contains no certificate in PEM"),
        (&broken, key.as_str(), "chain.pem", "is not PEM"),
        (no_certificate, key.as_str(), "chain.pem", "something else than an X.509 certificate"),
        (key.as_str(), key.as_str(), "chain.pem", "contains no certificate in PEM"),
        (&long, key.as_str(), "chain.pem", "is longer than 1 MiB"),
        (&chain, "", "key.pem", "contains no private key in PEM"),
        (&chain, locked, "key.pem", "readable without a password"),
        (&chain, chain.as_str(), "key.pem", "contains no private key in PEM"),
        (&chain, other.as_str(), "key.pem", "is not the key of the certificate"),
    ] {
        let error = tls::check(&config(&folder, chain, key)).unwrap_err().to_string();
        assert!(error.contains(file) && error.contains(reason) && !error.contains('\n'), "{error}");
    }
    let mut missing = config(&folder, &chain, &key);
    tls::check(&missing).unwrap();
    missing.tls.key_file = "/nowhere/key.pem".to_owned();
    let error = tls::check(&missing).unwrap_err().to_string();
    assert!(error.starts_with("tls.key_file: /nowhere/key.pem cannot be read: "), "{error}");
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let (authority, folder) = (Authority::new(), TempDir::new().unwrap());
    let Issued { chain, key } = authority.issue(&[NAME], [-1, 90]);
    type Change = fn(&mut Config);
    let cases: [(Change, &str); 5] = [
        (|config| config.tls.key_file = String::new(), "tls: cert_file and key_file are given together"),
        (|config| config.tls.acme.domains = vec![NAME.to_owned()], "tls: the certificate comes either"),
        (|config| config.server.public_url = Some("http://play.example.org".parse().unwrap()), "server.public_url: "),
        (
            |config| {
                *config = Config::default();
                config.server.http_listen = Some("127.0.0.1:80".parse().unwrap());
            },
            "server.http_listen: ",
        ),
        (
            |config| {
                *config = Config::default();
                config.tls.acme.domains = vec![NAME.to_owned()];
                config.tls.acme.ca_file = "/nowhere/ca.pem".to_owned();
            },
            "tls.acme.ca_file: /nowhere/ca.pem cannot be read",
        ),
    ];
    for (change, reason) in cases {
        let mut config = config(&folder, &chain, &key);
        change(&mut config);
        let error = tls::check(&config).unwrap_err().to_string();
        assert!(error.starts_with(reason), "{error}");
    }
}

#[test]
fn certificates_that_browsers_refuse_are_reported() {
    let (authority, folder) = (Authority::new(), TempDir::new().unwrap());
    let now = chrono::Utc::now();
    for (names, days, expected) in [
        (&[NAME][..], [-1, 90], None),
        (&["*.example.org"], [-1, 90], None),
        (&[NAME], [-90, -1], Some("expired at")),
        (&[NAME], [-80, 5], Some("expires at")),
        (&[NAME], [2, 90], Some("is not valid before")),
        (&["other.example.org"], [-1, 90], Some("is not for play.example.org")),
    ] {
        let Issued { chain, key } = authority.issue(names, days);
        let config = config(&folder, &chain, &key);
        tls::check(&config).expect("the server starts with it");
        let notices = tls::notices(&config, now);
        assert_eq!(notices.len(), expected.iter().len(), "{notices:?}");
        assert!(expected.is_none_or(|words| notices[0].contains(words)), "{notices:?}");
        let tls = Tls::open(&config, morpion_appliance::clock::Clock::default()).unwrap().unwrap();
        assert_eq!(tls.notices(), notices);
    }
}
