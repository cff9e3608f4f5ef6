//! The shipped unit, checked by systemd.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// Tenths of systemd's own scale from 0 (nothing exposed) to 10; what is left is mostly the network, which a server
/// cannot do without.
const MAX_EXPOSURE: u32 = 15;

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../systemd").join(name)
}

/// The unit, with the program where it is now: systemd wants to see it.
fn unit(folder: &TempDir) -> PathBuf {
    let text = fs::read_to_string(shipped("morpion.service")).unwrap();
    assert!(text.contains("ExecStart=/usr/bin/morpion serve\n"));
    let path = folder.path().join("morpion.service");
    fs::write(&path, text.replace("/usr/bin/morpion", env!("CARGO_BIN_EXE_morpion"))).unwrap();
    path
}

/// Of the package systemd.
fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"))
}

fn assert_fine(output: Output) {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}");
}

#[test]
fn systemd_understands_the_unit() {
    let folder = TempDir::new().unwrap();
    let output = run("systemd-analyze", &["verify", unit(&folder).to_str().unwrap()]);
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    let ours: Vec<_> = complaints.lines().filter(|line| line.contains("morpion.service")).collect();
    assert!(ours.is_empty(), "{ours:?}");
    assert_fine(output);
}

#[test]
fn the_unit_has_a_low_exposure_score() {
    let folder = TempDir::new().unwrap();
    let threshold = format!("--threshold={MAX_EXPOSURE}");
    let unit = unit(&folder);
    let arguments = ["security", "--offline=true", &threshold, unit.to_str().unwrap()];
    assert_fine(run("systemd-analyze", &arguments));
}

#[test]
fn the_unit_user_is_created() {
    let unit = fs::read_to_string(shipped("morpion.service")).unwrap();
    let users = fs::read_to_string(shipped("morpion.sysusers")).unwrap();
    let folders = fs::read_to_string(shipped("morpion.tmpfiles")).unwrap();
    assert!(unit.contains("\nUser=morpion\n"));
    assert!(users.lines().any(|line| line.starts_with("u morpion ")));
    assert!(
        folders.lines().any(|line| line.starts_with("d /var/lib/morpion ") && line.contains("0700 morpion morpion"))
    );
    assert_fine(run("systemd-sysusers", &["--dry-run", shipped("morpion.sysusers").to_str().unwrap()]));
}

#[test]
fn the_unit_has_the_documented_settings() {
    let unit = fs::read_to_string(shipped("morpion.service")).unwrap();
    for line in [
        "Type=notify",
        "WatchdogSec=30",
        "StateDirectory=morpion",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "SystemCallFilter=@system-service",
        "MemoryMax=2G",
        "OOMPolicy=continue",
        "SystemCallFilter=setpriority sched_setscheduler",
    ] {
        assert!(unit.lines().any(|given| given == line), "{line}");
    }
}
