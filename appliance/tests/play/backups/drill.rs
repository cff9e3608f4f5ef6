//! The drills of the documents, done by following only them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::{Site, accounts, files};
use crate::process::{Process, register};

/// The fenced blocks of a language under a heading of a document.
fn blocks(document: &str, heading: &str, language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document);
    let text = fs::read_to_string(path).unwrap();
    let level = heading.chars().take_while(|char| *char == '#').count();
    let goes_on =
        |line: &&str| !(line.starts_with('#') && line.chars().take_while(|char| *char == '#').count() <= level);
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    let (mut blocks, mut block) = (vec![], None::<String>);
    // A comment in a block is no heading.
    for line in lines.take_while(|line| line.starts_with("# ") || goes_on(line)).map(str::trim_start) {
        match line.strip_prefix("```") {
            Some(_) if block.is_some() => blocks.extend(block.take()),
            Some(name) if name == language => block = Some(String::new()),
            Some(_) => {}
            None => block.iter_mut().for_each(|text| text.extend([line, "\n"])),
        }
    }
    assert!(!blocks.is_empty(), "{heading} of {document} has nothing in {language}");
    blocks
}

/// Follows the words of a document: its settings for the server, then its commands, which end with `morpion serve`.
async fn follow_drill(document: &str, settings: &str, drill: &str) {
    let (site, elsewhere) = (Site::new(), TempDir::new().unwrap());
    let secret = elsewhere.path().join("passphrase");
    fs::write(&secret, "a horse and a battery\n").unwrap();
    let here = |text: &str| {
        let text = text.replace("/mnt/backups", site.target.to_str().unwrap());
        let text = text.replace("/etc/morpion/backup.passphrase", secret.to_str().unwrap());
        // The tests have no such user, and no port of their own.
        text.replace("sudo -u morpion ", "").replace("127.0.0.1:8099", "127.0.0.1:0")
    };
    let config = elsewhere.path().join("morpion.toml");
    fs::write(&config, here(&blocks(document, settings, "toml").concat())).unwrap();
    let server = Process::start_with(site.data.path(), &[("MORPION_CONFIG", config.to_str().unwrap())]);
    let begun = Instant::now();
    let is_manifest =
        |path: &PathBuf| path.parent().unwrap().ends_with("backups") && path.extension() == Some("json".as_ref());
    while !files(&site.target).iter().any(is_manifest) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no backup is made");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    register(server.address, "ada").await;
    server.stop();

    let commands = here(&blocks(document, drill, "sh").concat());
    let (before, serve) = commands.trim_end().rsplit_once('\n').unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_morpion")).parent().unwrap().to_owned();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-euxc", before]).env("PATH", &path).env("MORPION_BACKUP__PASSPHRASE_FILE", &secret);
    let output = shell.env("MORPION_CONFIG", &config).current_dir(elsewhere.path()).output().unwrap();
    let printed = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert!(output.status.success() && printed.contains("restored into"), "{before}: {printed}");
    let words: Vec<_> = serve.split(' ').collect();
    let (arguments, listen) = words.split_at(words.len() - 2);
    assert_eq!((&arguments[..3], listen), (&["morpion", "serve", "--drill"][..], &["--listen", "127.0.0.1:0"][..]));
    let at = |path: &str| path.replace("./restored", elsewhere.path().join("restored").to_str().unwrap());
    let arguments: Vec<_> = arguments[2..].iter().map(|word| at(word)).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let restored = elsewhere.path().join("restored");
    assert_eq!(accounts(&Process::serve(&arguments, &restored, &[]), &restored).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_drills_work_as_they_are_written() {
    follow_drill("README.md", "### Backups, and a drill", "### Backups, and a drill").await;
    follow_drill("docs/hosting/backups.md", "## Set up", "## The drill").await;
}
