//! Email through a real SMTP server, with STARTTLS and with implicit TLS.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use morpion_appliance::config::{Config, MailSecurity};
use serde_json::{Value, json};

use crate::{
    external_servers::{Outside, authority},
    recovery::{NEW_PASSWORD, code_in, request, update, validate},
    support::{Server, registration},
};

fn by_smtp(config: &mut Config, smtp: &Outside, security: MailSecurity) {
    config.mail.host = "localhost".to_owned();
    config.mail.port = smtp.at.parse().unwrap();
    config.mail.security = security;
    config.mail.username = "games".to_owned();
    config.mail.password = "sesame".to_owned().into();
    config.mail.from = Some("Games <games@example.org>".parse().unwrap());
    config.mail.ca_file = authority();
}

/// The accepted emails, once there are this many.
async fn mails(smtp: &Outside, number: usize) -> Vec<Value> {
    for _ in 0..300 {
        let mails = smtp.ask("/mails").await.as_array().unwrap().clone();
        if mails.len() >= number {
            return mails;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("there are not {number} mails");
}

#[tokio::test(flavor = "multi_thread")]
async fn emailed_codes_are_sent_encrypted_and_work() {
    for (mode, security) in [("starttls", MailSecurity::Starttls), ("tls", MailSecurity::Tls)] {
        let smtp = Outside::start("smtp.mjs", mode);
        let server = Server::with(|config| by_smtp(config, &smtp, security)).await;
        assert_eq!(server.browser().await.get("/api/auth/providers").await.ok()["mail"], true);
        let (ada, _) = server.registered("ada").await;
        // Registering sends a code at once.
        let first = &mails(&smtp, 1).await[0];
        assert_eq!((&first["to"], &first["secure"]), (&json!(["ada@example.org"]), &json!(true)), "{mode}");
        assert_eq!(first["from"], "games@example.org");
        let code = code_in(first["text"].as_str().unwrap());
        ada.post("/api/auth/email/verify", json!({ "code": code })).await.ok();

        let browser = server.browser().await;
        request(&browser, "ada@example.org").await.ok();
        let code = code_in(mails(&smtp, 2).await[1]["text"].as_str().unwrap());
        validate(&browser, "ada@example.org", code).await.ok();
        update(&browser, "ada@example.org", NEW_PASSWORD).await.ok();
        let last = mails(&smtp, 3).await[2]["text"].as_str().unwrap().to_owned();
        assert!(last.contains("Subject: Your Morpion password was changed") && last.contains("From: Games <games@"));
        assert!(last.contains("multipart/alternative") && last.contains("text/plain") && last.contains("text/html"));
    }
}

/// Registers somebody, which sends a code.
async fn registers(server: &Server, name: &str, domain: &str) {
    let mut wish = registration(name);
    wish["email"] = json!(format!("{name}@{domain}"));
    server.browser().await.post("/api/auth/register", wish).await.ok();
}

/// The recipients of the accepted emails, once there are this many.
async fn recipients(smtp: &Outside, number: usize) -> Vec<String> {
    mails(smtp, number).await.iter().map(|mail| mail["to"][0].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_addresses_and_slow_domains_delay_no_code() {
    let smtp = Outside::start("smtp.mjs", "starttls");
    let server = Server::with(|config| by_smtp(config, &smtp, MailSecurity::Starttls)).await;
    for number in 0..8 {
        registers(&server, &format!("refused{number}"), "example.org").await;
        registers(&server, &format!("slow{number}"), "slow.example").await;
    }
    let asked = Instant::now();
    registers(&server, "ada", "example.com").await;
    assert_eq!(recipients(&smtp, 1).await, ["ada@example.com"]);
    assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
    // Another try would come after 5 s.
    tokio::time::sleep(Duration::from_secs(6)).await;
    let tries = smtp.ask("/tries").await;
    let of = |begin: &str| {
        let tries = tries.as_array().unwrap();
        tries.iter().filter(|address| address.as_str().unwrap().starts_with(begin)).count()
    };
    assert_eq!((of("refused"), of("slow")), (8, 2), "a refusal is final, and a slow domain has few places");
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_pass_greylisting_and_servers_that_hang_up() {
    let smtp = Outside::start("smtp.mjs", "starttls");
    let server = Server::with(|config| by_smtp(config, &smtp, MailSecurity::Starttls)).await;
    for name in ["grey1", "grey2", "bye1", "bye2"] {
        registers(&server, name, "example.org").await;
    }
    let mut sent = recipients(&smtp, 4).await;
    sent.sort();
    assert_eq!(sent, ["bye1@example.org", "bye2@example.org", "grey1@example.org", "grey2@example.org"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_calls_itself_by_its_public_name() {
    let smtp = Outside::start("smtp.mjs", "starttls");
    let server = Server::with(|config| {
        by_smtp(config, &smtp, MailSecurity::Starttls);
        config.mail.hello = "mail.example.net".to_owned();
    })
    .await;
    registers(&server, "ada", "exämple.org").await;
    let mail = &mails(&smtp, 1).await[0];
    assert_eq!(mail["hello"], "mail.example.net");
    let text = mail["text"].as_str().unwrap();
    assert!(text.contains("To: ada@xn--exmple-cua.org"), "{text}");
    assert!(text.contains("@mail.example.net>") && text.contains("Auto-Submitted: auto-generated"), "{text}");
}

fn morpion(smtp: &Outside, change: &[(&str, &str)], arguments: &[&str]) -> (bool, String) {
    let folder = tempfile::TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
    command
        .args(arguments)
        .arg("--data-dir")
        .arg(folder.path())
        .args(["--listen", "127.0.0.1:1"])
        .env("MORPION_MAIL__HOST", "localhost")
        .env("MORPION_MAIL__PORT", &smtp.at)
        .env("MORPION_MAIL__USERNAME", "games")
        .env("MORPION_MAIL__PASSWORD", "sesame")
        .env("MORPION_MAIL__FROM", "Games <games@example.org>")
        .env("MORPION_MAIL__CA_FILE", authority());
    for (name, value) in change {
        command.env(name, value);
    }
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    assert!(!text.contains("sesame"), "{text}");
    (output.status.success(), text)
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_test_shows_the_mail_servers_reply() {
    let smtp = Outside::start("smtp.mjs", "starttls");
    let test = ["mail", "test", "you@example.org"];
    let (fine, text) = morpion(&smtp, &[], &test);
    assert!(fine && text.starts_with("Test email to you@example.org: accepted by the SMTP server: 250"), "{text}");
    assert!(mails(&smtp, 1).await[0]["text"].as_str().unwrap().contains("Subject: Morpion can send email"));
    for (change, arguments, reason) in [
        (&[("MORPION_MAIL__PASSWORD", "wrong")][..], test, "535"),
        (&[("MORPION_MAIL__CA_FILE", "")][..], test, "certificate"),
        (&[("MORPION_MAIL__SECURITY", "tls")][..], test, "refused the mail"),
        (&[("MORPION_MAIL__PORT", "1")][..], test, "refused"),
        (&[][..], ["mail", "test", "refused@example.org"], "No such mailbox"),
        (&[][..], ["mail", "test", "nobody"], "is not an address"),
    ] {
        let (fine, text) = morpion(&smtp, change, &arguments);
        assert!(!fine && text.contains(reason) && text.lines().count() == 1, "{change:?} {arguments:?}: {text}");
    }
    let (fine, text) = morpion(&smtp, &[("MORPION_MAIL__HOST", "")], &test);
    assert!(fine && text.contains("outbox") && text.contains("Nothing leaves this machine"), "{text}");
    assert_eq!(mails(&smtp, 1).await.len(), 1, "nothing else was taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_checks_the_mail_server() {
    let smtp = Outside::start("smtp.mjs", "starttls");
    let (fine, text) = morpion(&smtp, &[], &["doctor"]);
    assert!(
        fine && text.contains("ok    mail      the SMTP server accepts mail from Games <games@example.org>"),
        "{text}"
    );
    for part in ["config", "data", "store", "provider", "clock"] {
        assert!(text.lines().any(|line| line.starts_with(&format!("ok    {part}"))), "{part} in {text}");
    }
    let (fine, text) = morpion(&smtp, &[("MORPION_MAIL__PASSWORD", "wrong")], &["doctor"]);
    assert!(!fine && text.contains("BAD   mail"), "{text}");
    assert!(text.contains("morpion: 1 problem found"), "{text}");
}
