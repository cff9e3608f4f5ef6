//! Games: checkpoints, live games, lists by player and event.

mod common;

use std::time::{Duration, Instant};

use bytes::Bytes;
use common::{at, memory, on_disk};
use morpion_store::{DatabaseUrl, EndedGames, GameRow, GameStatus, OpenOptions, Store, StoreError};
use uuid::Uuid;

const FINISHED: [GameStatus; 1] = [GameStatus::Completed];

fn game(status: GameStatus, players: &[Uuid], created: i64) -> GameRow {
    GameRow {
        id: Uuid::new_v4(),
        status,
        game_type: "remote".to_owned(),
        event_id: None,
        players: players.to_vec(),
        created_at: at(created),
        ended_at: matches!(status, GameStatus::Completed | GameStatus::Cancelled).then(|| at(created + 60)),
        journal_seq: 3,
        state: Bytes::from_static(b"\x00state\xff"),
        share_token: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checkpoint_replaces_the_previous_one() {
    let store = memory().await;
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    let mut first = game(GameStatus::Waiting, &[ann], 0);
    let second = game(GameStatus::Active, &[ann, bob], 1);
    store.upsert_games(&[first.clone(), second.clone()], EndedGames::default()).await.unwrap();
    assert_eq!(store.game(first.id).await.unwrap(), Some(first.clone()));
    assert_eq!(store.game(Uuid::new_v4()).await.unwrap(), None);
    assert_eq!(store.live_games().await.unwrap(), [first.clone(), second.clone()]);
    assert_eq!(store.finished_games(&[first.id, second.id]).await.unwrap(), Vec::<Uuid>::new());

    first.status = GameStatus::Completed;
    first.players.push(bob);
    first.ended_at = Some(at(99));
    first.journal_seq = 1 << 40;
    store.upsert_games(std::slice::from_ref(&first), EndedGames::default()).await.unwrap();
    assert_eq!(store.game(first.id).await.unwrap(), Some(first.clone()));
    assert_eq!(store.live_games().await.unwrap(), [second]);
    assert_eq!(store.games_by_user(bob, &FINISHED, 0, 10).await.unwrap().games, [first]);
    store.upsert_games(&[], EndedGames::default()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_paged_by_player_and_by_event_the_newest_first() {
    let store = memory().await;
    let (ann, bob, event) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
    let mut games: Vec<GameRow> = (0..10).map(|number| game(GameStatus::Completed, &[ann, bob], number)).collect();
    games[9].players = vec![bob];
    games[8].status = GameStatus::Cancelled;
    for game in &mut games[..4] {
        game.event_id = Some(event);
    }
    store.upsert_games(&games, EndedGames::default()).await.unwrap();
    let ids = |games: &[GameRow]| games.iter().map(|game| game.id).collect::<Vec<_>>();

    let page = store.games_by_user(ann, &FINISHED, 2, 3).await.unwrap();
    assert_eq!((ids(&page.games), page.total), (vec![games[5].id, games[4].id, games[3].id], 8));
    let both = [GameStatus::Completed, GameStatus::Cancelled];
    assert_eq!(store.games_by_user(ann, &both, 0, 1).await.unwrap().games[0].id, games[8].id);
    let page = store.games_by_event(event, &FINISHED, 0, 2).await.unwrap();
    assert_eq!((ids(&page.games), page.total), (vec![games[3].id, games[2].id], 4));
    let nobody = store.games_by_user(Uuid::new_v4(), &FINISHED, 0, 10).await.unwrap();
    assert_eq!((nobody.games.len(), nobody.total), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_game_is_found_by_token_until_it_is_unshared() {
    let store = memory().await;
    let mut shared = game(GameStatus::Completed, &[], 0);
    let other = game(GameStatus::Completed, &[], 0);
    store.upsert_games(&[shared.clone(), other], EndedGames::default()).await.unwrap();
    store.set_share_token(shared.id, Some("tok")).await.unwrap();
    shared.share_token = Some("tok".to_owned());
    assert_eq!(store.game_by_share_token("tok").await.unwrap(), Some(shared.clone()));
    store.upsert_games(&[GameRow { share_token: None, ..shared.clone() }], EndedGames::default()).await.unwrap();
    assert_eq!(store.game(shared.id).await.unwrap(), Some(shared.clone()), "a checkpoint leaves the token");
    assert_eq!(store.game_by_share_token("").await.unwrap(), None);
    store.set_share_token(shared.id, None).await.unwrap();
    assert_eq!(store.game_by_share_token("tok").await.unwrap(), None);
    assert_eq!(store.set_share_token(Uuid::new_v4(), Some("x")).await.unwrap_err(), StoreError::NotFound("game"));
}

#[tokio::test(flavor = "multi_thread")]
async fn old_cancelled_games_are_removed() {
    let store = memory().await;
    let old: Vec<GameRow> = (0..3).map(|number| game(GameStatus::Cancelled, &[], number)).collect();
    let keep = [game(GameStatus::Cancelled, &[], 1000), game(GameStatus::Completed, &[], 0)];
    store.upsert_games(&old, EndedGames::default()).await.unwrap();
    store.upsert_games(&keep, EndedGames::default()).await.unwrap();
    assert_eq!(store.delete_cancelled_games(at(500), 2).await.unwrap(), 2);
    assert_eq!(store.delete_cancelled_games(at(500), 2).await.unwrap(), 1);
    for game in keep {
        assert_eq!(store.game(game.id).await.unwrap(), Some(game));
    }
}

/// 100,000 finished games must not slow the start: the live ones come from an index.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_does_not_read_finished_games() {
    const FINISHED_GAMES: usize = 20_000;
    let (folder, store) = on_disk().await;
    let players: Vec<Uuid> = (0..200).map(|_| Uuid::new_v4()).collect();
    for batch in 0..FINISHED_GAMES / 1000 {
        let games: Vec<GameRow> = (0..1000)
            .map(|number| {
                let at = batch * 1000 + number;
                game(GameStatus::Completed, &[players[at % 200], players[(at + 1 + at / 200) % 200]], at as i64)
            })
            .collect();
        store.upsert_games(&games, EndedGames::default()).await.unwrap();
    }
    let live: Vec<GameRow> = (0..10).map(|number| game(GameStatus::Active, &players[..2], number)).collect();
    store.upsert_games(&live, EndedGames::default()).await.unwrap();
    store.close().await.unwrap();

    let started = Instant::now();
    let url = DatabaseUrl::Folder(folder.path().join("db"));
    let store = Store::open(&url, OpenOptions::default()).await.unwrap();
    assert_eq!(store.live_games().await.unwrap().len(), 10);
    let took = started.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
    store.close().await.unwrap();
}
