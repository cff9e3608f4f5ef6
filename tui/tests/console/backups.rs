//! The server's backups: their page, and the commands for scripts.

use std::time::{Duration, Instant};

use insta::assert_snapshot;
use morpion_openapi::{
    Acknowledgement, Timestamp,
    admin::{
        Backup, BackupStatus, BackupVerification, BackupsAnswer, CreateBackup, ListBackups, Overview, OverviewAnswer,
        UnreadableBackup, VerifyBackup,
    },
};
use morpion_tui::{
    calls::{Call, Reply},
    dialog::Dialog,
    event::{Effect, Event, NetEvent},
    hit_testing::ClickTarget,
    net::command_error::{CommandError, FailureKind},
    tabs::TabId,
    theme::{Palette, Theme},
};

use crate::{
    fixtures::*,
    screens::{buffer, screen},
    script::run,
    server::{Server, TOKEN},
};

const SIZES: [(&str, (u16, u16)); 3] = [("least", (40, 12)), ("small", (80, 24)), ("large", (120, 36))];
const SIZE: (u16, u16) = (80, 24);
const HOUR: i64 = 3_600_000;

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(START + millis)
}

/// Made so many hours ago.
fn backup(hours: u64) -> Backup {
    let at = at(-(hours as i64) * HOUR);
    Backup {
        backup_id: format!("{}-{:04x}", at.utc().format("%Y%m%dT%H%M%SZ"), 0xa7c0 + hours),
        at,
        bytes: 1_300_000_000 - hours * 1_000_000,
        new_bytes: if hours == 72 { 1_228_000_000 } else { 34_000_000 / (hours + 1) },
        version: "0.1.0".to_owned(),
    }
}

fn unreadable() -> UnreadableBackup {
    UnreadableBackup {
        backup_id: "20261120T180000Z-0f5e".to_owned(),
        reason: "its format 3 is newer than this version, which reads 2".to_owned(),
    }
}

pub fn backups() -> BackupsAnswer {
    BackupsAnswer { backups: [72, 48, 24, 1].map(backup).to_vec(), unreadable: vec![] }
}

pub fn with_unreadable() -> BackupsAnswer {
    BackupsAnswer { unreadable: vec![unreadable()], ..backups() }
}

pub fn well() -> BackupStatus {
    BackupStatus { last: Some(backup(1)), log_until: Some(at(-4_000)), ..overview().backup }
}

fn check(problems: &[&str]) -> BackupVerification {
    BackupVerification {
        backup_id: backup(24).backup_id,
        started_at: at(-900_000),
        finished_at: Some(at(-660_000)),
        problems: problems.iter().map(|&problem| problem.to_owned()).collect(),
        failure: None,
    }
}

const TOO_LITTLE: &str = "There is too little disk space for it (3.12 GiB are free); use `morpion backup verify` on \
                          another machine.";

/// The last check could not be made.
pub fn unverified() -> BackupStatus {
    let verification = BackupVerification { failure: Some(TOO_LITTLE.to_owned()), ..check(&[]) };
    BackupStatus { verification: Some(verification), ..well() }
}

/// Nothing is as it should be.
pub fn unwell() -> BackupStatus {
    BackupStatus {
        place: Some("s3://acme-backups-frankfurt/morpion/production".to_owned()),
        log_until: Some(at(-47 * 60_000)),
        failure: Some("the place cannot be reached: connection refused by 10.1.2.3:9000".to_owned()),
        failing_since: Some(at(-46 * 60_000)),
        verification: Some(check(&[
            "Friday night blitz: anna has 3 wins, 2 were played",
            "the audit trail is broken at entry 4711: its hash does not follow from the one before",
        ])),
        ..well()
    }
}

fn under_way() -> BackupStatus {
    BackupStatus {
        running_since: Some(at(-12_000)),
        verification: Some(BackupVerification { started_at: at(-95_000), finished_at: None, ..check(&[]) }),
        ..well()
    }
}

fn answer_of(backup: BackupStatus) -> OverviewAnswer {
    OverviewAnswer { backup, ..overview() }
}

/// On the page, with this status, before the list has come.
fn before_the_list(size: (u16, u16), status: BackupStatus) -> Console {
    let mut console = Console::on_tab(size, 1);
    console.reply(Overview {}, Reply::Overview(answer_of(status)));
    console.press("b");
    console
}

pub fn with_backups(size: (u16, u16), status: BackupStatus, answer: BackupsAnswer) -> Console {
    let mut console = before_the_list(size, status);
    console.reply(ListBackups {}, Reply::ListBackups(answer));
    console
}

fn refusal_without_place() -> CommandError {
    let text = "No place for backups is set. Set backup.to, or use `morpion backup create --to`.";
    CommandError { code: "no-backup-target".to_owned(), ..CommandError::new(FailureKind::Conflict, text) }
}

fn asks_for_list(effects: &[Effect]) -> bool {
    calls(effects).iter().any(|call| matches!(call, Call::ListBackups(_)))
}

fn only_call(effects: &[Effect]) -> Call {
    let calls = calls(effects);
    let [call] = calls[..] else { panic!("one call, not {calls:?}") };
    call.clone()
}

fn said(console: &Console) -> String {
    console.app.toasts.iter().last().map(|toast| toast.text.clone()).unwrap_or_default()
}

#[test]
fn the_page_in_every_size() {
    for (name, size) in SIZES {
        assert_snapshot!(format!("{name}_well"), screen(&with_backups(size, well(), backups())));
        assert_snapshot!(format!("{name}_under_way"), screen(&with_backups(size, under_way(), backups())));
        let mut console = with_backups(size, unwell(), with_unreadable());
        assert_snapshot!(format!("{name}_unwell"), screen(&console));
        console.press("Right");
        assert_snapshot!(format!("{name}_status_unwell"), screen(&console));
        let good = BackupStatus { verification: Some(check(&[])), ..well() };
        let mut console = with_backups(size, good, backups());
        console.press("v");
        assert_snapshot!(format!("{name}_verify"), screen(&console));
        console.press("Escape c");
        assert_snapshot!(format!("{name}_create"), screen(&console));
        console.press("Escape Right");
        assert_snapshot!(format!("{name}_status_good"), screen(&console));
        let mut console = with_backups(size, unverified(), backups());
        assert_snapshot!(format!("{name}_unverified"), screen(&console));
        console.press(&format!("Right{}", " j".repeat(40)));
        assert_snapshot!(format!("{name}_status_unverified"), screen(&console));
    }
}

#[test]
fn the_status_is_scrolled_to_its_end_and_no_further() {
    for size in [SIZES[0].1, (60, 15), (60, 19), (60, 20), (60, 21)] {
        let mut console = with_backups(size, unwell(), with_unreadable());
        for is_connected in [true, false] {
            if !is_connected {
                console.net(NetEvent::Disconnected { why: "The connection was lost.".to_owned(), retry_in_ms: 1_000 });
            }
            console.press(&format!("Right{}", " j".repeat(40)));
            let end = screen(&console);
            assert!(end.contains(" reads 2"), "everything can be scrolled to: {end}");
            console.press("k");
            let before = screen(&console);
            assert_ne!(before, end, "the first step back is seen");
            console.press("j");
            assert_eq!(screen(&console), end, "the one before was the last");
        }
    }
    // It is shorter in a wider terminal.
    let mut console = with_backups(SIZES[0].1, unwell(), with_unreadable());
    console.press(&format!("Right{}", " j".repeat(40)));
    console.update(Event::Resize(120, 12));
    let end = screen(&console);
    console.press("k");
    assert_ne!(screen(&console), end);
}

#[test]
fn a_check_that_could_not_be_made_warns_and_a_damaged_backup_alarms() {
    let theme = Theme::new(Palette::Chalk, false);
    let id = backup(24).backup_id;
    for (status, told, style) in [
        (unverified(), format!("! {id} could not be verified: There is too little"), theme.warning),
        (unwell(), format!("! {id} is damaged: 2 problems: Friday night blitz"), theme.bad),
    ] {
        let console = with_backups(SIZE, status, backups());
        let shown = screen(&console);
        let row = shown.lines().position(|line| line.contains(&told)).unwrap_or_else(|| panic!("{told}\n{shown}"));
        let cell = buffer(&console, Palette::Chalk, false)[(1, row as u16)].clone();
        assert_eq!((cell.symbol(), Some(cell.fg)), ("!", style.fg), "{shown}");
    }
}

#[test]
fn pages_without_backups_say_why() {
    let none = BackupsAnswer { backups: vec![], unreadable: vec![] };
    for (name, size) in SIZES {
        assert_snapshot!(format!("{name}_loading"), screen(&before_the_list(size, well())));
        let first = BackupStatus { last: None, log_until: None, ..well() };
        assert_snapshot!(format!("{name}_none"), screen(&with_backups(size, first, none.clone())));
        let mut console = before_the_list(size, BackupStatus { place: None, ..overview().backup });
        console.refuse(ListBackups {}, refusal_without_place());
        assert_snapshot!(format!("{name}_no_place"), screen(&console));
    }
    let mut console = before_the_list(SIZE, well());
    console.refuse(ListBackups {}, CommandError::new(FailureKind::NotAllowed, "This token may not do that."));
    let shown = screen(&console);
    assert!(shown.contains("This token may not do that."), "{shown}");
    // What was listed stays, with why it may be out of date.
    let mut console = with_backups(SIZE, well(), backups());
    console.refuse(ListBackups {}, CommandError::new(FailureKind::Busy, "Try again later."));
    let shown = screen(&console);
    assert!(shown.contains("Try again later.") && shown.contains(&backup(72).backup_id), "{shown}");
    // The status is not known yet.
    let mut console = Console::on_tab(SIZE, 1);
    console.press("b");
    console.reply(ListBackups {}, Reply::ListBackups(backups()));
    assert!(screen(&console).contains(&backup(1).backup_id));
    console.press("Right");
    assert!(screen(&console).contains("Asking for the status"), "{}", screen(&console));
}

#[test]
fn a_key_and_a_command_open_the_page() {
    let mut console = Console::on_tab(SIZE, 1);
    console.reply(Overview {}, Reply::Overview(answer_of(well())));
    assert_eq!(only_call(&console.press("b")), Call::ListBackups(ListBackups {}));
    for key in ["b", "Escape"] {
        console.press(key);
        assert!(screen(&console).contains("Moves a second"), "{key} goes back to the figures");
        console.press("b");
    }
    console.press("Escape h b");
    assert!(screen(&console).contains("Asking for the backups"), "from the last hour, too");

    let mut console = Console::on_tab(SIZE, 5);
    console.press(":");
    console.type_text("backups");
    assert!(asks_for_list(&console.press("Enter")));
    assert_eq!(console.app.tab, TabId::Overview);
    console.reply(ListBackups {}, Reply::ListBackups(backups()));
    // Esc takes back one thing at a time.
    console.press("/");
    console.type_text(&backup(24).backup_id);
    console.press("Enter");
    assert!(!screen(&console).contains(&backup(1).backup_id));
    console.press("Right Escape");
    assert!(!screen(&console).contains(&backup(1).backup_id), "back in the list, which is filtered");
    console.press("Escape");
    assert!(screen(&console).contains(&backup(1).backup_id), "the filter is dropped");
    console.press("Escape");
    assert!(!screen(&console).contains(&backup(1).backup_id), "and the page is left");
}

#[test]
fn the_backup_that_was_made_last_comes_first_and_is_chosen() {
    // The clock was set back by a week before the last one was made.
    let mut answer = with_unreadable();
    answer.backups.push(backup(24 * 7));
    let mut console = with_backups(SIZE, well(), answer);
    let shown = screen(&console);
    let places: Vec<_> = [unreadable().backup_id, backup(24 * 7).backup_id, backup(1).backup_id, backup(24).backup_id]
        .iter()
        .map(|id| shown.find(id.as_str()).expect("it is listed"))
        .collect();
    assert!(places.is_sorted(), "{shown}");
    assert!(shown.contains("5 backups   1 unreadable"), "{shown}");
    let call = only_call(&console.press("v y"));
    assert_eq!(call, Call::VerifyBackup(VerifyBackup { backup_id: backup(24 * 7).backup_id }));
    let mut console = with_backups(SIZE, well(), with_unreadable());
    console.press("s s");
    let shown = screen(&console);
    assert!(shown.find(&backup(72).backup_id) < shown.find(&backup(1).backup_id), "by what is new: {shown}");
}

#[test]
fn a_verification_is_confirmed_and_its_refusal_shown() {
    for key in ["v", "Enter", "a v"] {
        let mut console = with_backups(SIZE, well(), backups());
        assert!(calls(&console.press(key)).is_empty(), "not before the confirmation");
        let Some(Dialog::Confirm(confirm)) = &console.app.dialog else { panic!("a confirmation") };
        assert!(confirm.lines.concat().contains("into a temporary folder on the server, which needs as much space"));
        let call = only_call(&console.press("y"));
        assert_eq!(call, Call::VerifyBackup(VerifyBackup { backup_id: backup(1).backup_id }));
        let effects = console.reply(call, Reply::VerifyBackup(Acknowledgement {}));
        assert!(matches!(only_call(&effects), Call::Overview(_)), "the status is asked for at once");
        assert_eq!(said(&console), "The check has started.");
    }
    let mut console = with_backups(SIZE, under_way(), backups());
    let call = only_call(&console.press("v y"));
    console.refuse(call, CommandError::new(FailureKind::Conflict, "A backup is being verified already."));
    assert!(screen(&console).contains("A backup is being verified already."));

    // The second click on a row is Enter.
    let mut console = with_backups(SIZE, well(), backups());
    console.update(Event::Click(ClickTarget::Row(2)));
    console.update(Event::Click(ClickTarget::Row(2)));
    let call = only_call(&console.press("y"));
    assert_eq!(call, Call::VerifyBackup(VerifyBackup { backup_id: backup(48).backup_id }));

    let mut console = with_backups(SIZE, well(), with_unreadable());
    console.press("g Enter");
    assert!(console.app.dialog.is_none());
    assert_eq!(said(&console), format!("{} cannot be read: {}", unreadable().backup_id, unreadable().reason));
}

#[test]
fn a_backup_is_made_once_it_is_confirmed() {
    for key in ["c", "a c", "Right c"] {
        let mut console = with_backups(SIZE, well(), backups());
        assert!(calls(&console.press(key)).is_empty());
        let call = only_call(&console.press("y"));
        assert_eq!(call, Call::CreateBackup(CreateBackup { to: None }));
        let effects = console.reply(call, Reply::CreateBackup(Acknowledgement {}));
        assert!(matches!(only_call(&effects), Call::Overview(_)), "the status is asked for at once");
        assert_eq!(said(&console), "The backup has started.");
    }
    let mut console = before_the_list(SIZE, BackupStatus { place: None, ..overview().backup });
    console.refuse(ListBackups {}, refusal_without_place());
    let call = only_call(&console.press("c y"));
    console.refuse(call, refusal_without_place());
    let shown = screen(&console);
    assert!(shown.contains("No place for backups is set. Set backup.to, or"), "{shown}");
}

#[test]
fn the_list_is_asked_for_again_when_the_status_changes() {
    let mut console = with_backups(SIZE, well(), backups());
    let mut ask = |status: BackupStatus| {
        console.reply(Overview {}, Reply::Overview(answer_of(status)));
        let is_asked = asks_for_list(&console.pass(100));
        if is_asked {
            console.reply(ListBackups {}, Reply::ListBackups(backups()));
        }
        is_asked
    };
    assert!(!ask(BackupStatus { log_until: Some(at(0)), ..well() }), "the log goes on all the time");
    ask(under_way());
    assert!(!ask(under_way()), "nothing changed");
    assert!(ask(BackupStatus { running_since: None, ..under_way() }), "a backup was made");
    assert!(!ask(BackupStatus { verification: Some(check(&["a problem"])), ..well() }), "only a check is over");
    assert!(asks_for_list(&console.pass(60_000)), "and once a minute");
    console.press("Escape");
    assert!(!asks_for_list(&console.pass(60_000)), "not while it is not shown");
}

#[test]
fn a_read_only_console_makes_and_verifies_nothing() {
    let mut console = with_backups(SIZE, well(), backups());
    console.app.context.options.is_read_only = true;
    for key in ["c", "v"] {
        assert!(calls(&console.press(key)).is_empty() && console.app.dialog.is_none());
        assert_eq!(said(&console), "This console is read-only.");
    }
    console.press("a");
    let Some(Dialog::Menu(menu)) = &console.app.dialog else { panic!("a menu") };
    assert_eq!(menu.items.iter().map(|item| item.label.as_str()).collect::<Vec<_>>(), ["copy its id"]);
    assert_eq!(console.press("i"), [Effect::Copy(backup(1).backup_id)]);
}

/// Waits until an action was called so often.
async fn called(server: &Server, action: &str, times: usize) {
    let begin = Instant::now();
    while server.called(action).len() < times {
        assert!(begin.elapsed() < Duration::from_secs(20), "{action} is not called");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Runs a command, and ends what it waits for once it has asked for the status a second time.
async fn run_until(server: &Server, arguments: &'static [&'static str], then: BackupStatus) -> (i32, String, String) {
    let (url, before) = (server.url(), server.called("overview").len());
    let running = tokio::spawn(async move { run(&url, arguments).await });
    called(server, "overview", before + 2).await;
    server.answer("overview", &answer_of(then));
    running.await.expect("it ends")
}

#[tokio::test]
async fn backups_are_listed_by_a_command() {
    let server = Server::start().await;
    server.answer("list_backups", &with_unreadable());
    let (code, out, error) = run(&server.url(), &["backups", "list"]).await;
    assert_eq!(code, 0, "{error}");
    let newest = format!("{}  2026-11-21T09:00:00Z  1.21 GiB  16.2 MiB  0.1.0", backup(1).backup_id);
    assert_eq!((out.lines().count(), out.lines().nth(1)), (5, Some(newest.as_str())), "{out}");
    let (id, reason) = (unreadable().backup_id, unreadable().reason);
    assert_eq!(error, format!("morpion-tui: backup {id} cannot be read: {reason}\n"));
    let (_, out, _) = run(&server.url(), &["backups", "list", "--json"]).await;
    let listed = out.lines().map(serde_json::from_str::<Backup>).collect::<Result<Vec<_>, _>>();
    assert_eq!(listed.expect("a backup a line"), [1, 24, 48, 72].map(backup));
    let refusal = serde_json::json!({
        "succeeded": false, "errorMessage": "No place for backups is set.", "errorCode": "no-backup-target",
        "requestId": "req-1"
    });
    for (action, arguments) in [
        ("list_backups", ["backups", "list"]),
        ("create_backup", ["backups", "create"]),
        ("verify_backup", ["backups", "verify"]),
    ] {
        server.fail(action, 409, &refusal);
        let (code, out, error) = run(&server.url(), &arguments).await;
        assert_eq!((code, out.as_str()), (6, ""), "{arguments:?}");
        assert!(error.starts_with("morpion-tui: No place for backups is set.\n"), "{error}");
    }
    for arguments in [["backups", "create"], ["backups", "verify"]] {
        let (code, _, error) = run(&server.url(), &[&arguments[..], &["--readonly"]].concat()).await;
        assert_eq!((code, error.as_str()), (4, "morpion-tui: This console is read-only.\n"), "{arguments:?}");
    }
}

#[tokio::test]
async fn the_status_is_shown_by_a_command() {
    let server = Server::start().await;
    server.answer("overview", &answer_of(unwell()));
    let (code, out, error) = run(&server.url(), &["backups", "status"]).await;
    assert_eq!(code, 0, "{error}");
    for told in [
        "place          s3://acme-backups-frankfurt/morpion/production\n",
        "failing since  2026-11-21T09:14:00Z (",
        "failure        the place cannot be reached: connection refused by 10.1.2.3:9000\n",
        "size           1.21 GiB, 16.2 MiB of it new\n",
        "result         2 problems\n",
        "problem        Friday night blitz: anna has 3 wins, 2 were played\n",
    ] {
        assert!(out.contains(told), "{told}{out}");
    }
    let (_, out, _) = run(&server.url(), &["backups", "status", "--json"]).await;
    assert_eq!(serde_json::from_str::<BackupStatus>(&out).expect("one line"), unwell());
    server.answer("overview", &answer_of(unverified()));
    let (_, out, _) = run(&server.url(), &["backups", "status"]).await;
    let told = format!("result     could not be verified\nreason     {TOO_LITTLE}\n");
    assert!(out.ends_with(&told), "{out}");
    server.answer("overview", &answer_of(BackupStatus { place: None, ..overview().backup }));
    let (_, out, _) = run(&server.url(), &["backups", "status"]).await;
    assert_eq!(out, "place     none\nlatest    none\nverified  none since the server's start\n");
}

#[tokio::test]
async fn a_command_makes_a_backup_and_waits_for_it() {
    let server = Server::start().await;
    server.answer("create_backup", &Acknowledgement {});
    server.answer("overview", &answer_of(under_way()));
    let (code, out, error) = run_until(&server, &["backups", "create"], well()).await;
    assert_eq!(code, 0, "{error}");
    assert_eq!(out, format!("{}: 1.21 GiB, 16.2 MiB of it new\n", backup(1).backup_id));
    assert_eq!(server.called("create_backup"), [serde_json::json!({})]);
    let (_, out, _) = run(&server.url(), &["backups", "create", "--json"]).await;
    assert_eq!(serde_json::from_str::<Backup>(&out).expect("one line"), backup(1));
    server.answer("overview", &answer_of(under_way()));
    let (code, out, error) = run_until(&server, &["backups", "create"], unwell()).await;
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(error.contains("the place cannot be reached"), "{error}");
    server.answer("overview", &answer_of(overview().backup));
    let (code, _, error) = run(&server.url(), &["backups", "create"]).await;
    let stopped = "morpion-tui: The server was stopped while it made the backup.\n";
    assert_eq!((code, error.as_str()), (1, stopped));
}

#[tokio::test]
async fn a_command_verifies_a_backup_and_fails_if_there_are_problems() {
    let server = Server::start().await;
    server.answer("verify_backup", &Acknowledgement {});
    let id = backup(24).backup_id;
    let good = BackupStatus { verification: Some(check(&[])), ..well() };
    server.answer("overview", &answer_of(under_way()));
    let (code, out, error) = run_until(&server, &["backups", "verify"], good).await;
    assert_eq!((code, out), (0, format!("{id}: good, verified in 4 min\n")), "{error}");
    server.answer("overview", &answer_of(under_way()));
    let (code, out, _) = run_until(&server, &["backups", "verify", "20261120T100000Z-a7d8"], unwell()).await;
    let problems = unwell().verification.expect("a check").problems;
    assert_eq!((code, out), (10, format!("{}\n{}\n{id}: 2 problems\n", problems[0], problems[1])));
    let asked: Vec<_> = server.called("verify_backup").iter().map(|call| call["backupId"].clone()).collect();
    assert_eq!(asked, ["latest", "20261120T100000Z-a7d8"]);
    let (code, out, _) = run(&server.url(), &["backups", "verify", "--json"]).await;
    assert_eq!(code, 10);
    let printed: BackupVerification = serde_json::from_str(&out).expect("one line");
    assert_eq!(Some(printed), unwell().verification);
    server.answer("overview", &answer_of(under_way()));
    let (code, out, error) = run_until(&server, &["backups", "verify"], unverified()).await;
    let told = format!("morpion-tui: {id} could not be verified: {TOO_LITTLE}\n");
    assert_eq!((code, out.as_str(), error.as_str()), (1, "", told.as_str()));
    let (code, out, error) = run(&server.url(), &["backups", "verify", "--json"]).await;
    assert_eq!((code, error), (1, told));
    let printed: BackupVerification = serde_json::from_str(&out).expect("one line");
    assert_eq!(Some(printed), unverified().verification);
    server.answer("overview", &answer_of(well()));
    let (code, _, error) = run(&server.url(), &["backups", "verify"]).await;
    let stopped = "morpion-tui: The server was stopped while it verified the backup.\n";
    assert_eq!((code, error.as_str()), (1, stopped));
    server.refuse("verify_backup", 404, "There is no such backup.");
    let (code, _, error) = run(&server.url(), &["backups", "verify", "none-such"]).await;
    assert!(code == 5 && error.contains("There is no such backup."), "{error}");
}

#[tokio::test]
async fn the_shell_completes_the_ids_of_backups() {
    let server = Server::start().await;
    server.answer("list_backups", &backups());
    let url = server.url();
    let completed = async |typed: &str| {
        let words = ["morpion-tui", "--server", &*url, "backups", "verify", typed];
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_morpion-tui"));
        command.arg("--").args(words).env("COMPLETE", "bash").env("MORPION_TUI_TOKEN", TOKEN);
        command.env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string()).env("_CLAP_IFS", "\n");
        let output = tokio::task::spawn_blocking(move || command.output()).await.expect("a thread").expect("it runs");
        String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(completed("20261119").await, [backup(48).backup_id]);
    assert_eq!(completed("lat").await, ["latest"]);
}
