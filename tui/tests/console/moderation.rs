//! What an operator does against misuse: suspensions, names, pictures, deletion, reports.

use morpion_openapi::{
    Acknowledgement, Timestamp,
    account::User,
    admin::{AdminUserAnswer, UsersListAnswer},
    game::GetGame,
    moderation::{
        CloseReport, DeleteUser, LiftSuspension, ListReports, ListSuspended, RenameUser, Report, ReportAnswer,
        ReportEvidence, ReportKind, ReportOutcome, ReportState, ReportsAnswer, SuspendUser, Suspension,
    },
    profile::UserProfile,
};
use morpion_tui::{
    calls::{Call, Reply},
    dialog::Dialog,
    event::Effect,
    net::command_error::{CommandError, FailureKind},
    tabs::TabId,
};
use uuid::Uuid;

use crate::{fixtures::*, operations::with_users};

const SIZE: (u16, u16) = (120, 30);
const DAY: i64 = 86_400_000;
pub const LONG_REASON: &str = "Insults in every game of the evening, also after two warnings by the organisers";

pub fn suspension(days: Option<i64>) -> Suspension {
    let until = days.map(|days| Timestamp::from_millis(START + days * DAY));
    Suspension { until, reason: LONG_REASON.to_owned(), at: Timestamp::from_millis(START - 3_600_000) }
}

pub fn suspended(number: u32, username: &str, days: Option<i64>) -> User {
    User { suspension: Some(suspension(days)), ..user(number, username) }
}

/// On the tab of the accounts, with those that are suspended.
pub fn with_suspended(size: (u16, u16), users: Vec<User>) -> Console {
    let mut console = with_users(size, crate::fixtures::users());
    console.press("f");
    let pagination = page_of(users.len() as u64);
    let call = ListSuspended { page: Some(1), limit: Some(100) };
    console.reply(call, Reply::ListSuspended(UsersListAnswer { users, pagination }));
    console
}

fn person(number: u32, username: &str) -> UserProfile {
    UserProfile {
        user_id: Uuid::from_u128(number.into()),
        username: username.to_owned(),
        display_name: display_name(username),
        profile: "/picture/256".to_owned(),
        profile_url: None,
        is_bot: None,
        is_pro_user: false,
        is_temp_user: false,
        blocked_by_me: None,
    }
}

pub fn report(number: u32, kind: ReportKind) -> Report {
    Report {
        report_id: Uuid::from_u128(u128::from(number) << 96 | 0x7000_8000_0000_0000_f000),
        kind,
        text: "Wrote insults after every move, and again when I asked to stop.".to_owned(),
        reporter: Some(person(1, "anna")),
        subject: Some(person(2, "ben")),
        suspension: None,
        game_id: Some(game_id(7)),
        evidence: ReportEvidence { username: "ben".to_owned(), display_name: "Big Ben".to_owned(), picture: None },
        at: Timestamp::from_millis(START - i64::from(number) * 600_000),
        state: ReportState::Open,
        outcome: None,
        note: None,
        closed_by: None,
        closed_at: None,
        same_subject_open: 2,
    }
}

pub fn reports() -> Vec<Report> {
    let clement = Report { subject: Some(person(3, "Clément")), same_subject_open: 1, ..report(2, ReportKind::Name) };
    let gone = Report { reporter: None, game_id: None, text: String::new(), ..report(300, ReportKind::Engine) };
    vec![
        report(1, ReportKind::Behaviour),
        clement,
        Report { suspension: Some(suspension(None)), ..report(30, ReportKind::Picture) },
        gone,
    ]
}

fn list_of(state: ReportState) -> ListReports {
    ListReports { state: Some(state), page: Some(1), limit: Some(100) }
}

/// On the tab of the reports, with these open ones.
pub fn with_reports(size: (u16, u16), reports: Vec<Report>) -> Console {
    let mut console = Console::on_tab(size, 8);
    let pagination = page_of(reports.len() as u64);
    console.reply(list_of(ReportState::Open), Reply::ListReports(ReportsAnswer { reports, pagination }));
    console
}

/// A closed report in full.
pub fn closed_report(size: (u16, u16)) -> Console {
    let mut console = with_reports(size, vec![]);
    console.press("f");
    let closed = Report {
        state: ReportState::Closed,
        outcome: Some(ReportOutcome::Upheld),
        note: Some("Suspended for a week.".to_owned()),
        closed_by: Some("ada".to_owned()),
        closed_at: Some(Timestamp::from_millis(START)),
        same_subject_open: 0,
        ..report(1, ReportKind::Behaviour)
    };
    let answer = ReportsAnswer { reports: vec![closed], pagination: page_of(1) };
    console.reply(list_of(ReportState::Closed), Reply::ListReports(answer));
    console.press("Enter");
    console
}

fn only_call(actions: &[Effect]) -> Call {
    let calls = calls(actions);
    let [call] = calls[..] else { panic!("one call, not {calls:?}") };
    call.clone()
}

fn said(console: &Console) -> String {
    console.app.toasts.iter().last().map(|toast| toast.text.clone()).unwrap_or_default()
}

fn error(console: &Console) -> Option<&str> {
    let Some(Dialog::Confirm(confirm)) = &console.app.dialog else { panic!("a confirmation") };
    confirm.error.as_deref()
}

fn labels(console: &mut Console) -> Vec<String> {
    console.press("a");
    let Some(Dialog::Menu(menu)) = &console.app.dialog else { panic!("a menu") };
    let labels = menu.items.iter().map(|item| item.label.clone()).collect();
    console.press("Escape");
    labels
}

#[test]
fn somebody_is_suspended_for_a_time_and_a_reason() {
    for (keys, days) in [("", Some(7)), ("Space", Some(30)), ("Right Right", None), ("Left", Some(1))] {
        let mut console = with_users(SIZE, vec![user(2, "ben")]);
        console.press("a s");
        if !keys.is_empty() {
            console.press(keys);
        }
        console.press("x Enter");
        console.type_text(" Insults ");
        let call = only_call(&console.press("Enter"));
        // By the server's clock, which is the one of the tests.
        let until = days.map(|days| Timestamp::from_millis(START + days * DAY));
        let expected = SuspendUser { user_id: user(2, "ben").user_id, until, reason: "Insults".to_owned() };
        assert_eq!(call, Call::SuspendUser(expected), "{keys}");
        console.reply(call, Reply::SuspendUser(AdminUserAnswer { user: suspended(2, "ben", days) }));
        assert!(console.app.dialog.is_none());
        assert_eq!(said(&console), "ben the player @ben is suspended.");
        let row = console.app.tabs.users.table.chosen().expect("a row");
        assert_eq!(morpion_tui::tabs::users::kind(row), "suspended");
        let offered = labels(&mut console);
        assert!(offered.contains(&"lift the suspension".to_owned()), "{offered:?}");
    }
}

#[test]
fn a_reason_is_needed_and_limited() {
    let mut console = with_users(SIZE, vec![user(2, "ben")]);
    console.press("a s Enter");
    assert!(calls(&console.press("Enter")).is_empty());
    assert_eq!(error(&console), Some("A reason of 1 to 500 characters is needed."));
    console.type_text(&"ä".repeat(501));
    assert!(calls(&console.press("Enter")).is_empty(), "too long");
    console.press("BSpace");
    assert_eq!(error(&console), None);
    let call = only_call(&console.press("Enter"));
    assert!(matches!(call, Call::SuspendUser(call) if call.reason.chars().count() == 500));
}

#[test]
fn what_the_server_refuses_is_shown_until_it_is_dismissed() {
    for refusal in [
        CommandError::new(FailureKind::Conflict, "The last admin cannot be suspended."),
        CommandError::new(FailureKind::NotFound, "There is no such user."),
        CommandError::new(FailureKind::Unreachable, "The connection was lost."),
    ] {
        let mut console = with_users(SIZE, vec![User { is_admin: true, ..user(1, "ada") }]);
        console.press("a s Enter r");
        let call = only_call(&console.press("Enter"));
        let text = refusal.text.clone();
        console.refuse(call, refusal);
        let shown = crate::screens::screen(&console);
        assert!(shown.contains(&text), "{shown}");
        assert_eq!(console.app.tabs.users.table.chosen().map(|user| user.suspension.is_some()), Some(false));
        console.press("Escape");
        assert!(console.app.dialog.is_none());
    }
    let mut console = with_users(SIZE, vec![user(2, "ben")]);
    console.press("a n");
    console.type_text("admin");
    console.press("Enter Enter r");
    let call = only_call(&console.press("Enter"));
    let mut refusal = CommandError::new(FailureKind::Invalid, "Please check the fields.");
    refusal.fields.insert("username".to_owned(), "This name is reserved.".to_owned());
    console.refuse(call, refusal);
    let shown = crate::screens::screen(&console);
    assert!(shown.contains("Please check the fields. This name is reserved."), "{shown}");
}

#[test]
fn a_suspension_is_lifted() {
    let mut console = with_suspended(SIZE, vec![suspended(2, "ben", Some(7)), user(3, "clea")]);
    let call = only_call(&console.press("a e y"));
    assert_eq!(call, Call::LiftSuspension(LiftSuspension { user_id: user(2, "ben").user_id }));
    let actions = console.reply(call, Reply::LiftSuspension(AdminUserAnswer { user: user(2, "ben") }));
    assert_eq!(said(&console), "ben the player @ben is not suspended any more.");
    assert!(calls(&actions).iter().any(|call| matches!(call, Call::ListSuspended(_))), "the list is asked for again");
    let chosen = console.app.tabs.users.suspended.table.chosen().map(|row| row.0.suspension.is_some());
    assert_eq!(chosen, Some(false));
}

#[test]
fn somebody_is_renamed_neutrally_or_as_typed() {
    let payload = |username: Option<&str>, display_name: Option<&str>| RenameUser {
        user_id: user(2, "ben").user_id,
        username: username.map(str::to_owned),
        display_name: display_name.map(str::to_owned),
        reason: "r".to_owned(),
    };
    let mut console = with_users(SIZE, vec![user(2, "ben")]);
    console.press("a n Enter Enter r");
    let call = only_call(&console.press("Enter"));
    assert_eq!(call, Call::RenameUser(payload(None, None)));
    let renamed = User { user_id: user(2, "ben").user_id, ..user(2, "swift-otter") };
    console.reply(call, Reply::RenameUser(AdminUserAnswer { user: renamed }));
    assert_eq!(console.app.tabs.users.table.chosen().map(|user| user.username.as_str()), Some("swift-otter"));

    let mut console = with_users(SIZE, vec![user(2, "ben")]);
    console.press("a n");
    console.type_text("benny");
    console.press("Enter");
    console.type_text("Ben N.");
    console.press("Enter r");
    assert_eq!(only_call(&console.press("Enter")), Call::RenameUser(payload(Some("benny"), Some("Ben N."))));
}

#[test]
fn a_picture_is_removed_where_there_is_one() {
    let without = labels(&mut with_users(SIZE, vec![user(2, "ben")]));
    assert!(!without.contains(&"remove the picture".to_owned()), "{without:?}");
    let mut console = with_users(SIZE, vec![User { profile: "/picture".to_owned(), ..user(2, "ben") }]);
    console.press("a i r");
    assert!(matches!(only_call(&console.press("Enter")), Call::RemovePicture(call) if call.reason == "r"));
}

#[test]
fn an_account_is_deleted_once_its_username_is_typed() {
    let mut console = with_users(SIZE, vec![user(2, "ben"), user(3, "clea")]);
    console.press("Enter a x r Enter");
    console.type_text("bem");
    assert!(calls(&console.press("Enter")).is_empty());
    assert_eq!(error(&console), Some("Type ben to confirm."));
    console.press("BSpace n");
    let call = only_call(&console.press("Enter"));
    let expected = DeleteUser { user_id: user(2, "ben").user_id, reason: "r".to_owned() };
    assert_eq!(call, Call::DeleteUser(expected));
    console.reply(call, Reply::DeleteUser(Acknowledgement {}));
    assert!(console.app.tabs.users.detail.is_none(), "the account is gone");
    assert_eq!(console.app.tabs.users.table.rows().len(), 1);
}

#[test]
fn commands_of_the_palette_ask_first() {
    let mut console = with_users(SIZE, vec![user(2, "ben")]);
    for (line, title) in [
        ("suspend ben", "Suspend ben the player @ben?"),
        ("lift BEN", "Lift the suspension of ben the player @ben?"),
        ("rename ben", "Rename ben the player @ben?"),
    ] {
        console.press(":");
        console.type_text(line);
        assert!(calls(&console.press("Enter")).is_empty());
        let Some(Dialog::Confirm(confirm)) = &console.app.dialog else { panic!("asked first: {line}") };
        assert_eq!(confirm.title, title);
        console.press("Escape");
    }
    console.press(":");
    console.type_text("suspend nobody");
    let call = only_call(&console.press("Enter"));
    assert!(matches!(&call, Call::ListUsers(call) if call.text.as_deref() == Some("nobody")), "it is looked for");
    console.reply(call, Reply::ListUsers(UsersListAnswer { users: vec![], pagination: page_of(0) }));
    assert_eq!(said(&console), "No account 'nobody' was found.");
    console.press(":");
    console.type_text("reports closed");
    let call = only_call(&console.press("Enter"));
    assert_eq!((console.app.tab, call), (TabId::Reports, Call::ListReports(list_of(ReportState::Closed))));
    console.app.context.options.is_read_only = true;
    let offered = labels(&mut with_users(SIZE, vec![user(2, "ben")]));
    assert!(offered.contains(&"suspend".to_owned()), "{offered:?}");
    console.press("5 :");
    console.type_text("suspend ben");
    console.press("Enter");
    assert_eq!(said(&console), "This console is read-only.");
}

#[test]
fn a_report_is_read_and_closed_with_a_note() {
    let mut console = with_reports(SIZE, reports());
    console.press("Enter");
    let shown = crate::screens::screen(&console);
    for told in
        ["Anna Petit @anna", "behaviour", "Wrote insults", "Big Ben", "1 other open report about the same person"]
    {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    console.press("a u");
    console.type_text(&"n".repeat(501));
    assert!(calls(&console.press("Enter")).is_empty(), "too long");
    console.press("C-u");
    console.type_text("Suspended.");
    let call = only_call(&console.press("Enter"));
    let report_id = report(1, ReportKind::Name).report_id;
    let note = "Suspended.".to_owned();
    assert_eq!(call, Call::CloseReport(CloseReport { report_id, outcome: ReportOutcome::Upheld, note }));
    let answer = ReportAnswer { report: Report { state: ReportState::Closed, ..report(1, ReportKind::Behaviour) } };
    let actions = console.reply(call, Reply::CloseReport(answer));
    assert_eq!(said(&console), "The report is upheld.");
    assert_eq!(console.app.tabs.reports.table.rows().len(), 3);
    assert!(!calls(&actions).is_empty() && console.app.tabs.reports.detail.is_none());
    // A note may be empty; somebody else may have been faster.
    console.press("a d");
    let call = only_call(&console.press("Enter"));
    assert!(matches!(&call, Call::CloseReport(call) if call.note.is_empty()));
    console.refuse(call, CommandError::new(FailureKind::NotFound, "There is no such report."));
    assert!(crate::screens::screen(&console).contains("There is no such report."));
}

#[test]
fn whom_a_report_is_about_is_acted_on_from_it() {
    let mut console = with_reports(SIZE, vec![report(1, ReportKind::Behaviour)]);
    assert_eq!(only_call(&console.press("a g")), Call::GetGame(GetGame { game_id: game_id(7) }));
    console.press("a s Enter r");
    let call = only_call(&console.press("Enter"));
    assert!(matches!(&call, Call::SuspendUser(call) if call.user_id == person(2, "ben").user_id));
    console.reply(call, Reply::SuspendUser(AdminUserAnswer { user: suspended(2, "ben", Some(7)) }));
    let chosen = console.app.tabs.reports.table.chosen().expect("the report");
    assert_eq!(chosen.suspension, Some(suspension(Some(7))), "it is shown at once");
    let offered = labels(&mut console);
    for label in ["rename", "lift the suspension", "delete the account"] {
        assert!(offered.contains(&label.to_owned()), "{offered:?}");
    }
    let gone = Report { subject: None, reporter: None, ..report(1, ReportKind::Name) };
    let offered = labels(&mut with_reports(SIZE, vec![gone]));
    assert_eq!(
        offered,
        ["uphold: something was done", "dismiss: nothing to do", "see the game", "copy its id"],
        "nobody is left to act on"
    );
}

#[test]
fn open_and_closed_reports_are_listed_apart() {
    let mut console = with_reports(SIZE, reports());
    assert_eq!(only_call(&console.press("f")), Call::ListReports(list_of(ReportState::Closed)));
    let late = ReportsAnswer { reports: reports(), pagination: page_of(4) };
    console.reply(list_of(ReportState::Open), Reply::ListReports(late));
    assert!(console.app.tabs.reports.table.rows().is_empty(), "an answer from before is not shown");
    let console = closed_report(SIZE);
    let shown = crate::screens::screen(&console);
    assert!(shown.contains("upheld") && shown.contains("Suspended for a week."), "{shown}");
}

#[test]
fn a_report_that_somebody_else_closed_is_not_replaced_by_another() {
    let mut console = with_reports(SIZE, reports());
    console.press("Enter");
    let rest = ReportsAnswer { reports: reports().split_off(1), pagination: page_of(3) };
    console.reply(list_of(ReportState::Open), Reply::ListReports(rest));
    assert!(console.app.tabs.reports.detail.is_none(), "the list is shown");
    assert_eq!(said(&console), "That report is gone: closed by somebody else, or with its account.");
}

#[test]
fn open_reports_are_counted_where_one_looks_first() {
    let mut console = Console::on_tab(SIZE, 1);
    let answer = morpion_openapi::admin::OverviewAnswer { open_reports: 3, ..overview() };
    console.reply(morpion_openapi::admin::Overview {}, Reply::Overview(answer));
    let shown = crate::screens::screen(&console);
    assert!(shown.contains("3 open reports wait for a decision.") && shown.contains("8 Reports!"), "{shown}");
}
