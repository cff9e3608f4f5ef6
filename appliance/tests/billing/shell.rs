//! The payment commands of the command line, with and without a running server.

use std::{
    path::Path,
    process::{Command, Output},
};

use crate::stripe::{PUBLISHABLE_KEY, SECRET_KEY, Stripe, WEBHOOK_SECRET};

fn morpion(folder: &Path, stripe: Option<&Stripe>, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
    command.args(arguments).args(["--listen", "127.0.0.1:1"]).current_dir(folder).env("MORPION_DATA_DIR", folder);
    if let Some(stripe) = stripe {
        command
            .env("MORPION_BILLING__SECRET_KEY", SECRET_KEY)
            .env("MORPION_BILLING__PUBLISHABLE_KEY", PUBLISHABLE_KEY)
            .env("MORPION_BILLING__WEBHOOK_SECRET", WEBHOOK_SECRET)
            .env("MORPION_BILLING__API_BASE", stripe.base());
    }
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_are_compared_and_created_once() {
    let folder = tempfile::TempDir::new().unwrap();
    let stripe = Stripe::start().await;
    let off = morpion(folder.path(), None, &["billing", "check"]);
    assert_eq!((off.status.code(), text(&off.stderr).contains("payments are not set up")), (Some(1), true));
    let before = morpion(folder.path(), Some(&stripe), &["billing", "check"]);
    assert_eq!(before.status.code(), Some(1), "{}", text(&before.stdout));
    assert_eq!(text(&before.stdout).matches("MISSING").count(), 3);
    for _ in 0..2 {
        let made = morpion(folder.path(), Some(&stripe), &["billing", "sync"]);
        assert!(made.status.success(), "{}", text(&made.stderr));
        assert_eq!(text(&made.stdout).matches(" price_").count(), 3);
    }
    assert!(morpion(folder.path(), Some(&stripe), &["billing", "check"]).status.success());
    let prices: Vec<_> = {
        let stripe_state = stripe.stripe_state();
        stripe_state.prices.values().map(|it| (it.amount, it.interval.clone(), it.interval_count)).collect()
    };
    assert_eq!(prices.len(), 3);
    for price in [(399, "month", 1), (1_800, "month", 6), (3_500, "year", 1)] {
        assert!(prices.contains(&(price.0, price.1.to_owned(), price.2)), "{prices:?}");
    }
    let shown = morpion(folder.path(), Some(&stripe), &["config", "show"]);
    assert!(!text(&shown.stdout).contains(SECRET_KEY) && !text(&shown.stdout).contains(WEBHOOK_SECRET));
    let said = |doctor: &std::process::Output, what: &str| {
        assert!(text(&doctor.stdout).contains(what), "{}", text(&doctor.stdout));
    };
    said(
        &morpion(folder.path(), Some(&stripe), &["doctor"]),
        "a card is entered with a verified email only, and no SMTP server is configured",
    );
    let settings = folder.path().join("morpion.toml");
    std::fs::write(&settings, "[billing]\nrequire_verified_email = false\n").unwrap();
    let arguments = ["--config", settings.to_str().unwrap(), "doctor"];
    said(&morpion(folder.path(), Some(&stripe), &arguments), "takes the test key and has a price for each plan");
}

#[test]
fn pro_is_granted_listed_and_revoked() {
    let folder = tempfile::TempDir::new().unwrap();
    let run = |arguments: &[&str]| {
        let output = morpion(folder.path(), None, arguments);
        (output.status.success(), text(&output.stdout) + &text(&output.stderr))
    };
    let made = Command::new(env!("CARGO_BIN_EXE_morpion"))
        .args(["admin", "create", "--email", "ann@example.org", "--username", "ann", "--password-stdin"])
        .args(["--listen", "127.0.0.1:1"])
        .env("MORPION_DATA_DIR", folder.path())
        .current_dir(folder.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .and_then(|mut child| {
            std::io::Write::write_all(child.stdin.as_mut().expect("a pipe"), b"Correct-Horse-7\n")?;
            child.wait_with_output()
        })
        .unwrap();
    assert!(made.status.success());
    let (_, nobody) = run(&["pro", "grant", "bob", "--reason", "x"]);
    assert!(nobody.contains("There is no account 'bob'."), "{nobody}");
    let (granted, said) = run(&["pro", "grant", "ANN", "--reason", "Won the cup", "--until", "2099-01-31"]);
    assert!(granted && said.contains("ann has Pro now."), "{said}");
    let (_, listed) = run(&["pro", "list"]);
    assert!(listed.contains("granted") && listed.contains("ends 2099-02-01T00:00:00Z (Won the cup)"), "{listed}");
    let (revoked, said) = run(&["pro", "revoke", "ann", "--reason", "By mistake"]);
    assert!(revoked && said.contains("ann has no Pro any more."), "{said}");
    let (again, said) = run(&["pro", "revoke", "ann", "--reason", "By mistake"]);
    assert!(!again && said.contains("Nothing was granted"), "{said}");
}
