//! A player's page as a command.

use morpion_openapi::{
    Timestamp,
    admin::UsersListAnswer,
    event::EventState,
    game::{EndReason, GameType, TimeControl},
    player_page::{
        BoardResults, EventPlace, PlayedAgainst, PlayedGame, PlayedGamesAnswer, PlayedResult, PlayerProfile,
        ProfileAnswer, ProfileVisibility,
    },
    rating::Rating,
};
use serde_json::{Value, json};

use crate::{
    fixtures::*,
    moderation::{LONG_REASON, suspended},
    script::run,
    server::Server,
};

/// The page of the second of [`users`].
pub fn profile() -> ProfileAnswer {
    let at = Timestamp::from_millis(START);
    let place = EventPlace {
        event_id: event_id(1),
        title: "Friday cup".to_owned(),
        event_state: EventState::Ended,
        place: Some(2),
        players: 9,
        level: 4,
        wins: 3,
        losses: 1,
        at: Some(at),
    };
    let upcoming = EventPlace { event_id: event_id(2), place: None, at: None, ..place.clone() };
    ProfileAnswer {
        profile: PlayerProfile {
            user_id: user(2, "ben").user_id,
            username: "ben".to_owned(),
            display_name: "ben the player".to_owned(),
            profile_url: None,
            is_bot: None,
            blocked_by_me: None,
            visibility: Some(ProfileVisibility::Nobody),
            hidden: None,
            member_since: Some(at),
            rating: Some(Rating { value: 1_612, deviation: 120, provisional: true, games: 7 }),
            rating_curve: vec![],
            results: vec![BoardResults { board_size: 3, wins: 4, losses: 2, draws: 1 }],
            events: vec![place, upcoming],
        },
    }
}

pub fn history() -> PlayedGamesAnswer {
    let opponent = PlayedAgainst {
        user_id: X,
        username: "anna".to_owned(),
        display_name: "Anna Petit".to_owned(),
        profile_url: None,
        is_bot: None,
    };
    let won = PlayedGame {
        game_id: game_id(1),
        opponent,
        result: PlayedResult::Won,
        game_type: GameType::Event,
        rated: true,
        event_id: Some(event_id(1)),
        board_size: 4,
        clock: TimeControl::Turn15,
        reason: Some(EndReason::Timeout),
        move_count: 11,
        ended_at: Timestamp::from_millis(START),
    };
    let drawn = PlayedGame { result: PlayedResult::Drawn, rated: false, reason: None, ..won.clone() };
    PlayedGamesAnswer { games: vec![won, drawn], pagination: page_of(2) }
}

/// The lines, without the widths of their columns.
fn words(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[tokio::test]
async fn a_player_is_shown_with_results_events_and_games() {
    let server = Server::start().await;
    let mut users = users();
    users[1] = suspended(2, "ben", None);
    server.answer("list_users", &UsersListAnswer { users, pagination: page_of(4) });
    server.answer("get_profile", &profile());
    server.answer("get_history", &history());
    let (code, out, error) = run(&server.url(), &["players", "show", "BEN"]).await;
    assert_eq!((code, error.as_str()), (0, ""));
    let id = user(2, "ben").user_id;
    assert_eq!(
        words(&out),
        [
            "name ben the player",
            "username ben",
            &format!("id {id}"),
            "joined 2026-11-19 10:00 UTC",
            "kind free",
            &format!("suspended for ever: {LONG_REASON}"),
            "page for nobody",
            "rating 1612 ± 120, provisional, 7 rated games",
            "",
            "BOARD WON DRAWN LOST",
            "3x3 4 1 2",
            "",
            "EVENT STATE PLACE LEVEL WON LOST WHEN (UTC) TITLE",
            &format!("{} ended 2 of 9 4 3 1 2026-11-21 10:00 Friday cup", event_id(1)),
            &format!("{} ended 4 3 1 Friday cup", event_id(2)),
            "",
            "GAME RESULT HOW KIND RATED BOARD CLOCK MOVES ENDED (UTC) AGAINST",
            &format!("{0} won on time event rated 4x4 turn15 11 2026-11-21 10:00 Anna Petit @anna", game_id(1)),
            &format!("{0} drawn event 4x4 turn15 11 2026-11-21 10:00 Anna Petit @anna", game_id(1)),
        ]
    );
    assert_eq!(server.called("get_profile")[0], json!({ "userId": id }));
    assert_eq!(server.called("get_history")[0]["limit"], 10);

    let (_, out, _) = run(&server.url(), &["players", "show", "ben", "--games", "2", "--json"]).await;
    let page: Value = serde_json::from_str(&out).expect("one object");
    assert_eq!(
        (&page["user"]["suspension"]["reason"], &page["profile"]["rating"]["games"]),
        (&json!(LONG_REASON), &json!(7))
    );
    assert_eq!(
        (page["games"].as_array().map(Vec::len), &server.called("get_history")[1]["limit"]),
        (Some(2), &json!(2))
    );
}

#[tokio::test]
async fn of_whom_there_is_no_page_the_command_says_so() {
    let server = Server::start().await;
    server.answer("list_users", &UsersListAnswer { users: users(), pagination: page_of(4) });
    let (code, out, error) = run(&server.url(), &["players", "show", "nobody", "--json"]).await;
    assert_eq!((code, out.as_str(), error.as_str()), (5, "", "morpion-tui: There is no account 'nobody'.\n"));
    server.refuse("get_profile", 404, "There is no such player.");
    let (code, _, error) = run(&server.url(), &["players", "show", "guest-7431"]).await;
    assert!(code == 5 && error.starts_with("morpion-tui: There is no such player.\n"), "{error}");
    assert_eq!(run(&server.url(), &["players", "show"]).await.0, 2);
}
