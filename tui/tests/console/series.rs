//! The commands for series of events: what they print, and what they ask the server for.

use morpion_openapi::{
    Timestamp,
    event::EventState,
    series::{
        Series, SeriesAnswer, SeriesDate, SeriesDatesAnswer, SeriesListAnswer, SeriesPageAnswer, SeriesTableAnswer,
        SeriesTableRow,
    },
};
use serde_json::json;
use uuid::Uuid;

use crate::{fixtures::*, script::run, server::Server};

fn league() -> Series {
    Series {
        series_id: Uuid::from_u128(0x5e71e5),
        name: "Friday league".to_owned(),
        description: "Every week.".to_owned(),
        duration_minutes: 120,
        first_start: "2027-03-05T19:00".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
        rule: "FREQ=WEEKLY;BYDAY=FR".to_owned(),
        points: vec![10, 7, 5],
        days_ahead: 28,
        next_dates: dates(),
        ended_at: None,
        created_at: Timestamp::from_millis(START),
        updated_at: Timestamp::from_millis(START),
        template: Some(event(9, EventState::Drafted)),
    }
}

fn dates() -> Vec<SeriesDate> {
    let starts_at = Timestamp::from_millis(START + 86_400_000);
    vec![SeriesDate { date: "2027-03-26".to_owned(), starts_at }]
}

async fn server_with_series() -> Server {
    let server = Server::start().await;
    server.answer("list_series", &SeriesListAnswer { series: vec![league()], pagination: page_of(1) });
    let page = SeriesPageAnswer { series: league(), upcoming: vec![event(1, EventState::Published)], past: Vec::new() };
    server.answer("get_series", &page);
    server.answer("preview_series", &SeriesDatesAnswer { dates: dates() });
    for action in ["create_series", "update_series", "end_series"] {
        server.answer(action, &SeriesAnswer { series: league() });
    }
    server.answer("delete_series", &json!({}));
    let row = SeriesTableRow {
        rank: 1,
        user_id: Uuid::from_u128(7),
        username: "anna".to_owned(),
        display_name: "Anna Petit".to_owned(),
        profile_url: None,
        is_bot: None,
        points: 27,
        events: 3,
        firsts: 2,
    };
    let table = SeriesTableAnswer { rows: vec![row], counted_events: 3, pagination: page_of(1) };
    server.answer("get_series_table", &table);
    server
}

#[tokio::test]
async fn series_are_listed_and_shown_by_name_or_id() {
    let server = server_with_series().await;
    let (code, out, error) = run(&server.url(), &["series", "list"]).await;
    assert_eq!((code, out.lines().count()), (0, 2), "{error}");
    assert!(out.contains("FREQ=WEEKLY;BYDAY=FR") && out.contains("Friday league"), "{out}");
    for wanted in ["friday league", &league().series_id.to_string()] {
        let (code, out, error) = run(&server.url(), &["series", "show", wanted]).await;
        assert_eq!(code, 0, "{error}");
        assert!(out.contains("points") && out.contains("10, 7, 5") && out.contains("Cup 1"), "{out}");
    }
    let (code, _, error) = run(&server.url(), &["series", "show", "nothing"]).await;
    assert_eq!((code, error.as_str()), (5, "morpion-tui: There is no series 'nothing'.\n"));
    let (_, out, _) = run(&server.url(), &["series", "table", "Friday league"]).await;
    let row: Vec<_> = out.lines().nth(1).expect("a row").split_whitespace().collect();
    assert_eq!(row[..7], ["1", "Anna", "Petit", "@anna", "27", "3", "2"]);
    let (_, out, _) = run(&server.url(), &["series", "list", "--ended", "--json"]).await;
    assert_eq!(out.lines().count(), 1, "a series a line");
    assert_eq!(server.called("list_series").last().expect("a call")["ended"], true);
}

#[tokio::test]
async fn series_are_made_and_changed() {
    let server = server_with_series().await;
    let schedule =
        ["--first-start", "2027-03-05T19:00", "--time-zone", "Europe/Berlin", "--rule", "FREQ=WEEKLY;BYDAY=FR"];
    let (code, out, error) = run(&server.url(), &[&["series", "preview"][..], &schedule].concat()).await;
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("2027-03-26"), "{out}");
    let fields = ["--name", "Friday league", "--duration", "120", "--points", "10,7,5", "--title", "Friday night"];
    let format = ["--format", "swiss", "--rounds", "5", "--min-rating", "1200"];
    let arguments = [&["series", "create"][..], &schedule, &fields, &format].concat();
    let (code, out, error) = run(&server.url(), &arguments).await;
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("Europe/Berlin"), "{out}");
    let expected = json!({
        "name": "Friday league",
        "template": { "title": "Friday night", "format": "swiss", "rounds": 5, "minRating": 1200 },
        "durationMinutes": 120,
        "firstStart": "2027-03-05T19:00",
        "timeZone": "Europe/Berlin",
        "rule": "FREQ=WEEKLY;BYDAY=FR",
        "points": [10, 7, 5],
    });
    assert_eq!(server.called("create_series"), [expected]);
    let id = league().series_id;
    let (code, _, error) = run(&server.url(), &["series", "edit", "Friday league", "--days-ahead", "7"]).await;
    assert_eq!(code, 0, "{error}");
    assert_eq!(server.called("update_series"), [json!({ "seriesId": id, "daysAhead": 7 })]);
    for (command, action) in [("end", "end_series"), ("delete", "delete_series")] {
        let (code, _, error) = run(&server.url(), &["series", command, "Friday league"]).await;
        assert_eq!(code, 0, "{error}");
        assert_eq!(server.called(action), [json!({ "seriesId": id })]);
    }
}
