//! Servers, commands and backups of an encrypted database.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Output, time::Duration};

use tempfile::TempDir;

use super::{NEEDLE, Site, accounts_in, files, readable};
use crate::{
    crash::{invite, play_until, verify_all},
    process::register,
};

fn told(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_of_the_data_or_of_a_backup_shows_a_name() {
    for site in [Site::new(), Site::encrypted()] {
        let is_encrypted = !site.key.is_empty();
        let mut server = site.start();
        let accounts = [register(server.address, NEEDLE).await, register(server.address, "bob").await];
        let mut games = vec![];
        for kill in [true, false] {
            site.wait_for_backup(&server);
            invite(server.address, &accounts, &mut games).await;
            let address = server.address;
            let stopping = async {
                tokio::time::sleep(Duration::from_millis(700)).await;
                let created = site.run(Some(&server), &["backup", "create"]);
                assert!(created.status.success(), "{}", told(&created));
                assert_eq!(told(&created).contains("the key of the database is not in the backup"), is_encrypted);
                tokio::task::spawn_blocking(move || if kill { drop(server) } else { server.stop() }).await.unwrap();
            };
            play_until(address, &accounts, &mut games, Duration::from_millis(40), stopping).await;
            for folder in [site.data.path(), &site.target] {
                let found = readable(folder);
                assert_eq!(found.is_empty(), is_encrypted, "{found:?}");
            }
            server = site.start();
            games = verify_all(server.address, &accounts, games).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_open_an_encrypted_database_with_its_key_only() {
    let mut site = Site::encrypted();
    let (elsewhere, key) = (TempDir::new().unwrap(), site.key.clone());
    let place = |name: &str| elsewhere.path().join(name).to_str().unwrap().to_owned();
    let doctor = |site: &Site| String::from_utf8(site.run(None, &["doctor"]).stdout).unwrap();
    assert!(doctor(&site).contains("the database will be encrypted"));
    let server = site.start();
    register(server.address, "ada").await;
    let running = String::from_utf8(site.run(Some(&server), &["doctor"]).stdout).unwrap();
    assert!(running.contains("the database is encrypted, and storage.encryption_key is its key"), "{running}");
    site.key.clear();
    let running = String::from_utf8(site.run(Some(&server), &["doctor"]).stdout).unwrap();
    assert!(running.contains("the database is encrypted; its key is not set for this command"), "{running}");
    site.key.clone_from(&key);
    server.stop();

    let made = site.succeeds(None, &["backup", "create"]);
    let id = made.split(':').next().unwrap();
    let export = ["export", "--to", &place("plain.jsonl")].map(str::to_owned);
    let export: Vec<&str> = export.iter().map(String::as_str).collect();
    let restore = place("restored");
    let commands: [&[&str]; 9] = [
        &["serve"],
        &export,
        &["export", "--backup", "latest", "--to", "-"],
        &["upgrade-check"],
        &["upgrade-check", "--backup", "latest"],
        &["audit", "verify"],
        &["ratings", "verify"],
        &["backup", "verify"],
        &["restore", id, "--into", &restore],
    ];
    let other = "5f".repeat(32);
    let before = all(site.data.path());
    for (wrong, words) in
        [("", "the database is encrypted; set storage.encryption_key_file"), (&other, "is not the key")]
    {
        site.key = wrong.to_owned();
        for command in commands {
            let text = site.fails(command);
            assert!(text.contains(words), "{command:?}: {text}");
        }
        let found = doctor(&site);
        assert!(found.contains("BAD") && found.contains(words), "{found}");
    }
    assert_eq!(all(site.data.path()), before, "nothing was changed");
    assert!(!Path::new(&restore).exists());

    site.key.clone_from(&key);
    for command in &commands[1..8] {
        site.succeeds(None, command);
    }
    let restored = site.run(None, commands[8]);
    assert!(restored.status.success() && told(&restored).contains("serve it with the same storage.encryption_key"));
    assert_eq!(accounts_in(&site, Path::new(&restore)).await, 1);
    assert!(doctor(&site).contains("the database is encrypted, and storage.encryption_key is its key"));

    // From one to the other, by an export.
    let into = place("encrypted-again");
    site.succeeds(None, &["import", export[2], "--into", &into]);
    assert_eq!(accounts_in(&site, Path::new(&into)).await, 1);
    site.key.clear();
    let into = place("plain");
    site.succeeds(None, &["import", export[2], "--into", &into]);
    assert_eq!(accounts_in(&site, Path::new(&into)).await, 1);
}

/// All files with their content, but for the folder of what backups need.
fn all(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    files(folder).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_not_encrypted_stays_so() {
    let mut site = Site::new();
    let server = site.start();
    register(server.address, "ada").await;
    server.stop();
    site.succeeds(None, &["backup", "create"]);
    let before = all(site.data.path());
    site.key = "5e".repeat(32);
    for command in [&["serve"][..], &["export", "--to", "-"], &["upgrade-check"], &["audit", "verify"]] {
        let text = site.fails(command);
        assert!(text.contains("remove the key, or move the data into a new folder with `morpion export`"), "{text}");
    }
    assert_eq!(all(site.data.path()), before, "nothing was changed");
    // Backups from before are still good.
    site.succeeds(None, &["backup", "verify"]);
    let into = TempDir::new().unwrap();
    let restored = site.run(None, &["restore", "latest", "--into", into.path().to_str().unwrap()]);
    assert!(restored.status.success() && told(&restored).contains("serve it without storage.encryption_key"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_in_the_data_folder_is_refused() {
    let site = Site::encrypted();
    site.start().stop();
    let file = site.data.path().join("database.key");
    fs::write(&file, format!("{}\n", site.key)).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    for command in [&["serve"][..], &["backup", "create"], &["export", "--to", "-"]] {
        let text = site.fails(command);
        assert!(text.contains("database.key has the key of the database") && !text.contains(&site.key), "{text}");
    }
    fs::remove_file(file).unwrap();
    site.start().stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_file_that_others_can_read_or_that_has_no_key_is_refused() {
    let (site, elsewhere) = (Site::new(), TempDir::new().unwrap());
    let file = elsewhere.path().join("database.key");
    let serve = |text: &str, mode: u32| {
        fs::remove_file(&file).ok();
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_morpion"));
        command.args(["serve", "--listen", "127.0.0.1:0"]).env("MORPION_DATA_DIR", site.data.path());
        let output = command.env("MORPION_STORAGE__ENCRYPTION_KEY_FILE", &file).output().unwrap();
        assert!(!output.status.success());
        told(&output)
    };
    let key = "5e".repeat(32);
    for (text, mode, words) in [
        (key.as_str(), 0o644, "can be read by other users; run `chmod 600"),
        (&key, 0o640, "can be read by other users"),
        ("", 0o600, "is empty; put 64 hexadecimal digits there"),
        ("\n", 0o600, "is empty"),
        (&key[2..], 0o600, "it is not a key of 64 hexadecimal digits"),
        ("a horse and a battery", 0o600, "make one with `openssl rand -hex 32`"),
    ] {
        let refused = serve(text, mode);
        assert!(refused.contains(words) && refused.trim_end().lines().count() == 1, "{refused}");
        assert!(refused.contains("storage.encryption_key") && !refused.contains(&key[2..]), "{refused}");
        assert_eq!(files(site.data.path()), Vec::<std::path::PathBuf>::new(), "nothing was made");
    }
}
