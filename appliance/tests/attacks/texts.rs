//! Terminal sequences in every text that a stranger can write: names, reports and reasons do not take them, and no
//! request of a stranger brings them into a line of the log.

use std::{fs, time::Duration};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use crate::{
    process::Process,
    support::{Server, registration},
};

/// Sets the clipboard, clears the screen, begins a line, and turns the text around.
const HOSTILE: [&str; 4] = ["a\u{1b}]52;c;AAAA\u{7}b", "a\u{9b}2Jb", "a\nFORGED", "a\u{202e}b"];

#[tokio::test(flavor = "multi_thread")]
async fn names_reports_and_reasons_have_no_terminal_sequences() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let (ada, user) = server.registered("ada").await;
    let (bob, other) = server.registered("bob").await;
    let (ada_id, bob_id) = (&user["userId"], &other["userId"]);
    for hostile in HOSTILE {
        for field in ["username", "firstName", "lastName", "email"] {
            let mut wish = registration("somebody");
            wish[field] = json!(hostile);
            let failure = server.browser().await.post("/api/auth/register", wish).await.fails(422, "invalid");
            assert!(failure["fieldErrors"][field].is_string(), "{field}: {failure}");
        }
        let wish = json!({ "userId": ada_id, "displayName": hostile });
        ada.write("userprofile", "update_user_profile", wish).await.fails(422, "invalid");
        let report = json!({ "userId": ada_id, "kind": "name", "text": hostile });
        bob.write("userprofile", "report_user", report).await.fails(422, "invalid");
        let suspension = json!({ "userId": bob_id, "reason": hostile });
        admin.write("admin", "suspend_user", suspension).await.fails(422, "invalid");
        let rename = json!({ "userId": bob_id, "displayName": hostile });
        let refused = admin.write("admin", "rename_user", rename).await.status;
        assert!(matches!(refused.as_u16(), 400 | 422), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_strangers_forge_no_line_of_the_log() {
    let folder = TempDir::new().unwrap();
    let process = Process::start_with(folder.path(), &[("MORPION_LOG__LEVEL", "info")]);
    let address = process.address;
    let client = reqwest::Client::builder().no_proxy().cookie_store(true).build().unwrap();
    let opened = client.get(format!("http://{address}/api/auth/check-login")).send().await.unwrap();
    let token = opened.cookies().find(|cookie| cookie.name() == "XSRF-TOKEN").unwrap().value().to_owned();
    let record =
        json!({ "level": "error", "message": HOSTILE.concat(), "fileName": HOSTILE[0], "context": HOSTILE[1] });
    let request = client.post(format!("http://{address}/api/backend/logger")).header("x-xsrf-token", token);
    let answer = request.json(&json!({ "action": "log", "payload": record })).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    // The record goes to the database only; the path is in a line.
    client.get(format!("http://{address}/api/%1b%5D52;c;AAAA%07%0AFORGED")).send().await.unwrap();
    let begun = Instant::now();
    let text = loop {
        let files = fs::read_dir(folder.path().join("logs")).unwrap().map(|file| file.unwrap().path());
        let text: String = files.map(|file| fs::read_to_string(file).unwrap()).collect();
        if text.contains("FORGED") && text.lines().any(|line| line.contains("404")) {
            break text;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "nothing was logged: {text}");
        sleep(Duration::from_millis(50)).await;
    };
    assert!(!text.chars().any(|char| char != '\n' && (char.is_control() || char == '\u{202e}')), "{text:?}");
    assert!(text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "a record was forged: {text}");
}
