//! Exports and imports: what was exported is what the new server has, and a file that is not whole makes none.

use std::{
    fs,
    io::Cursor,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output, Stdio},
    time::Duration,
};

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use morpion_appliance::dump;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::small_disk::{SmallDisk, may_mount};
use crate::{
    crash::{Known, invite, play_until, verify_all},
    process::{Process, register},
    set_clock::{Fixture, paired},
    socket::Socket,
};

fn run(arguments: &[&str], data: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
    // Commands do not find a server that runs where servers listen by default.
    command.env("MORPION_SERVER__LISTEN", "127.0.0.1:1").env("MORPION_DATA_DIR", data);
    command.args(arguments).current_dir(data).stdin(Stdio::null()).output().unwrap()
}

fn succeeds(arguments: &[&str], data: &Path) -> String {
    let output = run(arguments, data);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The line of a refusal.
fn fails(arguments: &[&str], data: &Path) -> String {
    let output = run(arguments, data);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(told.trim_end().lines().count(), 1, "{told}");
    told
}

/// What is between the header and the end, which have the time and the version; without the settings, which name the folder.
fn content(file: &str) -> Vec<&str> {
    let lines: Vec<_> = file.lines().filter(|line| !line.starts_with(SETTINGS)).collect();
    lines[1..lines.len() - 1].to_vec()
}

/// What the line of the settings begins with.
const SETTINGS: &str = "{\"configuration\":";

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_server_goes_on_where_the_exported_one_stopped() {
    let (data, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let server = Process::start(data.path());
    let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
    accounts[0].upload(server.address).await;
    let mut games: Vec<Known> = vec![];
    invite(server.address, &accounts, &mut games).await;
    let address = server.address;
    let refused = fails(&["export", "--to", "-"], data.path());
    assert!(refused.contains("a server has the data open; stop it"), "{refused}");
    let killing = async {
        tokio::time::sleep(Duration::from_millis(800)).await;
        drop(server);
    };
    play_until(address, &accounts, &mut games, Duration::from_millis(60), killing).await;
    let live = games.len();

    let file = other.path().join("all.jsonl");
    let told = succeeds(&["export", "--to", file.to_str().unwrap()], data.path());
    assert!(told.starts_with("Exported the server's keys and ") && told.contains(" records to "), "{told}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fails(&["export", "--to", file.to_str().unwrap()], data.path()).contains("exists; name a new file"));
    let exported = fs::read_to_string(&file).unwrap();
    for table in ["user", "session", "avatar", "journal", "heartbeat"] {
        assert!(exported.contains(&format!("\n{{\"table\":\"{table}\",")), "{table}");
    }

    let into = other.path().join("moved");
    let told = succeeds(&["import", file.to_str().unwrap(), "--into", into.to_str().unwrap()], data.path());
    assert!(told.starts_with("Imported "), "{told}");
    assert_eq!(fs::metadata(into.join("db")).unwrap().permissions().mode() & 0o777, 0o700);
    let again = succeeds(&["export", "--to", "-"], &into);
    assert_eq!(content(&again), content(&exported), "every record is the same");

    let server = Process::start(&into);
    let mut games = verify_all(server.address, &accounts, games).await;
    assert_eq!(games.len(), live, "all are live");
    play_until(server.address, &accounts, &mut games, Duration::ZERO, std::future::ready(())).await;
    assert!(verify_all(server.address, &accounts, games).await.is_empty(), "all are played to their end");
    let refused = fails(&["import", file.to_str().unwrap(), "--into", into.to_str().unwrap()], data.path());
    assert!(refused.contains("is not empty; nothing is imported over data"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_event_goes_on_with_its_results_and_its_games() {
    let (data, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let fixture = Fixture::of(Process::start(data.path()), data.path());
    let event = fixture.event().await;
    let players = [fixture.player("ada").await, fixture.player("bob").await];
    let ([mut winner, mut loser], finished) = paired(players, &event).await;
    loser.asks("forfeitGame", json!({ "gameId": finished })).await;
    winner.socket.wait("gameEnd").await;
    let players = [fixture.player("cid").await, fixture.player("dan").await];
    let (mut players, live) = paired(players, &event).await;
    players[0].moves(&live, 0, 0).await;
    fixture.process.stop();

    let file = other.path().join("all.jsonl");
    succeeds(&["export", "--to", file.to_str().unwrap()], data.path());
    let into = other.path().join("moved");
    succeeds(&["import", file.to_str().unwrap(), "--into", into.to_str().unwrap()], data.path());
    let exported = fs::read_to_string(&file).unwrap();
    for table in ["event", "signup", "result", "game"] {
        assert!(exported.contains(&format!("\n{{\"table\":\"{table}\",")), "{table}");
    }
    assert_eq!(content(&succeeds(&["export", "--to", "-"], &into)), content(&exported), "every record is the same");
    let verify = ["event", "verify", &event, "--json"];
    assert_eq!(succeeds(&verify, &into), succeeds(&verify, data.path()));
    succeeds(&["audit", "verify"], &into);

    let server = Process::start(&into);
    for player in &mut players {
        player.socket = Socket::with_session(server.address, &player.account.session).await;
        let state = player.state(&live).await;
        assert_eq!(state["moves"].as_array().map(Vec::len), Some(1), "{state}");
    }
    players[1].moves(&live, 1, 1).await;
    players[0].asks("forfeitGame", json!({ "gameId": live })).await;
    let end = players[1].socket.wait("gameEnd").await;
    assert_eq!(end["winnerUserId"], players[1].account.id.as_str(), "{end}");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_ends_an_export_and_an_import_without_a_trace() {
    if !may_mount("a_full_disk_ends_an_export_and_an_import_without_a_trace") {
        return;
    }
    let (data, disk) = (TempDir::new().unwrap(), SmallDisk::mount());
    Process::start(data.path()).stop();
    let file = disk.path().join("all.jsonl");
    let filler = disk.fill();
    let output = run(&["export", "--to", file.to_str().unwrap()], data.path());
    let refused = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(11), "{refused}");
    assert!(refused.starts_with("morpion: the export cannot be written: No space left"), "{refused}");
    assert_eq!(fs::read_dir(disk.path()).unwrap().count(), 1, "the filler only");

    let export = succeeds(&["export", "--to", "-"], data.path());
    let large = |number: u64| {
        let bytes = "AAAA".repeat(100_000);
        json!({ "table": "log_data", "id": 1_000_000 + number, "value": { "bytes": { "$bytes": bytes } } })
    };
    let growing = changed(&export, |lines| lines.extend((0..40).map(large)));
    let into = disk.path().join("moved");
    for left in [0, 4 << 20] {
        fs::remove_file(&filler).unwrap();
        assert_eq!(disk.fill_but(left), filler);
        let import = tokio::time::timeout(Duration::from_secs(60), imported(growing.clone(), &into));
        let refused = import.await.expect("it ends").unwrap_err();
        assert!(!into.exists(), "{left} bytes left: {refused}");
    }
    fs::remove_file(filler).unwrap();
    imported(export, &into).await.unwrap();
}

async fn imported(text: String, into: &Path) -> Result<dump::Contents, String> {
    let imported = dump::import(Cursor::new(text), into, None, |_| {}).await;
    imported.map(|(contents, _)| contents).map_err(|error| format!("{error:#}"))
}

/// The export of a server with two accounts, made anew by `lines` after its end was taken off.
fn changed(export: &str, lines: impl FnOnce(&mut Vec<Value>)) -> String {
    let mut read: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines(&mut read);
    read.iter().map(|line| format!("{line}\n")).collect()
}

/// As [`changed`], with an end that fits the changed lines.
fn changed_whole(export: &str, lines: impl FnOnce(&mut Vec<Value>)) -> String {
    let mut end = Value::Null;
    let file = changed(export, |read| {
        lines(read);
        end = read.pop().unwrap();
    });
    end["sha256"] = Sha256::digest(&file).iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
    format!("{file}{end}\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_a_whole_export_leaves_nothing_behind() {
    let (data, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let server = Process::start(data.path());
    register(server.address, "ada").await;
    server.stop();
    let export = succeeds(&["export", "--to", "-"], data.path());
    let count = export.lines().count();
    let is_record = |line: &Value| line["table"] == "user";
    let key = |name: &str| json!({ "file": name, "bytes": "" });

    let half = export[..export.len() / 2].to_owned();
    let no_end = export.lines().take(count - 1).map(|line| format!("{line}\n")).collect::<String>();
    let cases: Vec<(String, &str)> = vec![
        (String::new(), "the file ends in line 1"),
        ("{}\n".to_owned(), "not a file of `morpion export`"),
        ("\u{0}\u{1}\n".to_owned(), "not a file of `morpion export`"),
        (" ".repeat(17 << 20), "line 1 is too long"),
        (half, "before its end; export it again"),
        (no_end, "before its end; export it again"),
        (export.replacen("\"ada\"", "\"bob\"", 1), "the file was changed or is damaged"),
        (export.clone() + "{}\n", "something follows the end"),
        (changed(&export, |lines| lines[0]["morpion_export"] = json!(3)), "has format 3"),
        (changed(&export, |lines| lines[0]["migrations"] = json!([1, 9999])), "version 9999"),
        (changed(&export, |lines| lines[0]["more"] = json!(1)), "line 1 is damaged"),
        (changed(&export, |lines| lines.insert(1, key("../../morpion-key"))), "is not the name of a key"),
        (changed(&export, |lines| lines.insert(1, key("db"))), "is not the name of a key"),
        (
            changed(&export, |lines| lines.insert(1, json!({ "file": "a", "bytes": "%" }))),
            "line 2: the file is damaged",
        ),
        (changed(&export, |lines| lines.insert(1, json!({ "neither": 1 }))), "line 2 is damaged"),
        (
            changed(&export, |lines| lines.insert(1, json!({ "table": "secrets", "id": "a", "value": {} }))),
            "there is no table \"secrets\"",
        ),
        (
            changed(&export, |lines| {
                lines.insert(1, json!({ "table": "user; REMOVE TABLE user", "id": "a", "value": {} }))
            }),
            "there is no table",
        ),
        (
            changed(&export, |lines| lines.insert(1, json!({ "table": "user", "id": null, "value": {} }))),
            "has an id of a kind that there is not",
        ),
        (
            changed(&export, |lines| lines.insert(1, json!({ "table": "user", "id": "a", "value": { "at": 1.5 } }))),
            "has the number 1.5",
        ),
        (
            changed(&export, |lines| {
                let record = lines.iter().position(is_record).unwrap();
                lines.insert(record, lines[record].clone());
            }),
            "one of these records was there already",
        ),
        (
            changed(&export, |lines| {
                let record = lines.iter().position(is_record).unwrap();
                lines.remove(record);
            }),
            "the file was changed or is damaged",
        ),
    ];
    for (number, (text, expected)) in cases.into_iter().enumerate() {
        let folder = other.path().join(number.to_string());
        let refusal = imported(text, &folder.join("deeper")).await.unwrap_err();
        assert!(refusal.contains(expected), "{expected}: {refusal}");
        assert!(!folder.exists(), "{expected}: it is there");
    }

    let taken = other.path().join("taken");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("letter"), "keep").unwrap();
    assert!(imported(export.clone(), &taken).await.unwrap_err().contains("is not empty"));
    assert_eq!(fs::read_dir(&taken).unwrap().count(), 1);

    let empty = other.path().join("empty");
    fs::create_dir_all(empty.join("import.partial")).unwrap();
    assert!(imported(export.clone(), &empty).await.unwrap_err().contains("was interrupted; remove it"));
    fs::remove_dir(empty.join("import.partial")).unwrap();
    imported("{}\n".to_owned(), &empty).await.unwrap_err();
    assert_eq!(fs::read_dir(&empty).unwrap().count(), 0);
    let contents = imported(export.clone(), &empty).await.unwrap();
    assert_eq!(contents.records() + contents.files, count as u64 - 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_of_an_earlier_schema_is_migrated() {
    let (data, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let server = Process::start(data.path());
    register(server.address, "ada").await;
    server.stop();
    let export = succeeds(&["export", "--to", "-"], data.path());
    // The tables of the last three migrations that have a record here.
    const ADDED: [&str; 2] = ["history_rebuild", "email_claim"];
    let earlier = changed_whole(&export, |lines| {
        let migrations = lines[0]["migrations"].as_array_mut().unwrap();
        migrations.truncate(migrations.len() - 3);
        // Those of then have no settings.
        lines[0]["morpion_export"] = json!(1);
        lines.retain(|line| line["configuration"].is_null());
        lines.retain(|line| ADDED.iter().all(|added| line["table"] != *added));
        let tables = lines.last_mut().unwrap()["end"]["tables"].as_object_mut().unwrap();
        ADDED.iter().for_each(|added| drop(tables.remove(*added)));
    });
    let file = other.path().join("earlier.jsonl");
    fs::write(&file, earlier).unwrap();
    let into = other.path().join("into");
    let output = run(&["import", file.to_str().unwrap(), "--into", into.to_str().unwrap()], data.path());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("the export has no settings"), "{told}");
    let header: Value =
        serde_json::from_str(succeeds(&["export", "--to", "-"], &into).lines().next().unwrap()).unwrap();
    let original: Value = serde_json::from_str(export.lines().next().unwrap()).unwrap();
    assert_eq!(header["migrations"], original["migrations"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_cannot_be_read_do_not_stop_an_import() {
    let (data, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    Process::start(data.path()).stop();
    let export = succeeds(&["export", "--to", "-"], data.path());
    let file = other.path().join("all.jsonl");
    for (number, configuration) in
        [json!({ "format": 9 }), json!(["a"]), json!({ "more": "a".repeat(2 << 20) })].into_iter().enumerate()
    {
        let planted = changed_whole(&export, |lines| lines[1]["configuration"] = configuration);
        fs::write(&file, planted).unwrap();
        let into = other.path().join(number.to_string());
        let output = run(&["import", file.to_str().unwrap(), "--into", into.to_str().unwrap()], data.path());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && told.contains("the settings in the export cannot be read"), "{told}");
        assert!(into.join("db").is_dir() && !into.join("morpion.restored.toml").exists());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_refuses_a_damaged_journal_and_says_what_to_do() {
    /// Where a stored record says what it is: after its format and its length.
    const KIND: usize = 5;
    let data = TempDir::new().unwrap();
    let server = Process::start(data.path());
    let accounts = [register(server.address, "ada").await, register(server.address, "bob").await];
    let mut games: Vec<Known> = vec![];
    invite(server.address, &accounts, &mut games).await;
    play_until(server.address, &accounts, &mut games, Duration::ZERO, tokio::time::sleep(Duration::from_millis(200)))
        .await;
    drop(server);
    let export = succeeds(&["export", "--to", "-"], data.path());
    let damaged = changed_whole(&export, |lines| {
        let entry = lines.iter_mut().find(|line| line["table"] == "journal").unwrap();
        let mut bytes = STANDARD.decode(entry["value"]["data"]["$bytes"].as_str().unwrap()).unwrap();
        bytes[KIND] = 0x7f;
        entry["value"]["data"]["$bytes"] = STANDARD.encode(bytes).into();
    });
    let into = data.path().join("damaged");
    imported(damaged, &into).await.unwrap();
    let started = run(&["serve", "--listen", "127.0.0.1:0"], &into);
    let told = String::from_utf8(started.stderr).unwrap();
    assert!(told.contains("journal record 1 is damaged, or from a newer version; install that version"), "{told}");
    assert_eq!(started.status.code(), Some(1));
    let found = String::from_utf8(run(&["doctor"], &into).stdout).unwrap();
    assert!(found.contains("BAD   store     journal record 1 is damaged"), "{found}");
    succeeds(&["doctor"], data.path());
}
