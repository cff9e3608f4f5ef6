//! Games: checkpoints, live games, lists by player and event.

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use common::{at, memory, on_disk, raw_query};
use morpion_store::{
    DatabaseUrl, DumpReader, DumpRecord, DumpWriter, EndedGames, ForgottenGames, GamePage, GameRow, GameStatus,
    GamesOf, IdTable, Journal, JournalOptions, OpenOptions, PlayedFilter, PlayedGame, PlayedKind, Store, StoreError,
};
use tempfile::TempDir;
use uuid::Uuid;

const FINISHED: [GameStatus; 1] = [GameStatus::Completed];
const OVER: [GameStatus; 2] = [GameStatus::Completed, GameStatus::Cancelled];

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
async fn games_are_read_one_after_another_each_once() {
    let store = memory().await;
    let (ann, bob, event) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
    // Three at a time, completed and cancelled ones among them.
    let mut games: Vec<GameRow> = (0..12).map(|number| game(GameStatus::Completed, &[ann, bob], number / 3)).collect();
    for number in [1, 5, 11] {
        games[number].status = GameStatus::Cancelled;
    }
    games[4].event_id = Some(event);
    games[7].event_id = Some(event);
    store.upsert_games(&games, EndedGames::default()).await.unwrap();
    store.upsert_games(&[game(GameStatus::Active, &[ann, bob], 2)], EndedGames::default()).await.unwrap();
    games.sort_by_key(|game| (std::cmp::Reverse(game.created_at), game.id));
    let ids = |games: &[GameRow]| games.iter().map(|game| game.id).collect::<Vec<_>>();
    let read = async |of, created: std::ops::Range<_>, limit| {
        let (mut found, mut last) = (vec![], None);
        loop {
            let page = store.games_after(of, created.clone(), last, limit).await.unwrap();
            last = page.last().map(|game| (game.created_at, game.id));
            found.extend(ids(&page));
            if page.len() < limit {
                return found;
            }
        }
    };
    let all = at(-5)..at(1_000);
    for limit in [1, 2, 5, 12, 100] {
        assert_eq!(read(GamesOf::User(ann), all.clone(), limit).await, ids(&games), "{limit} at a time");
    }
    assert_eq!(
        read(GamesOf::User(bob), at(1)..at(3), 2).await,
        ids(&games[3..9]),
        "from the first on, before the last"
    );
    assert!(read(GamesOf::User(bob), at(3)..at(3), 2).await.is_empty());
    assert!(read(GamesOf::User(bob), at(3)..at(1), 2).await.is_empty());
    let of_event: Vec<GameRow> = games.iter().filter(|game| game.event_id == Some(event)).cloned().collect();
    assert_eq!(read(GamesOf::Event(event), all.clone(), 1).await, ids(&of_event));
    assert!(read(GamesOf::User(Uuid::new_v4()), all.clone(), 3).await.is_empty());

    // What is stored meanwhile is found behind the place, and nothing comes twice.
    let page = store.games_after(GamesOf::User(ann), all.clone(), None, 6).await.unwrap();
    let (newer, older) = (game(GameStatus::Completed, &[ann, bob], 50), game(GameStatus::Completed, &[ann, bob], 0));
    store.upsert_games(&[newer, older.clone()], EndedGames::default()).await.unwrap();
    let last = page.last().map(|game| (game.created_at, game.id));
    let rest = ids(&store.games_after(GamesOf::User(ann), all, last, 100).await.unwrap());
    assert!(rest.contains(&older.id) && rest.len() == 7 && ids(&page).iter().all(|id| !rest.contains(id)));
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
    assert_eq!(store.games_by_user(ann, &OVER, 0, 1).await.unwrap().games[0].id, games[8].id);
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

/// Cancelled games before this second, and unplayed ones before twice that.
fn before(seconds: i64) -> ForgottenGames {
    ForgottenGames { unplayed: at(2 * seconds), cancelled: at(seconds) }
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_games_are_forgotten_and_unplayed_ones_sooner() {
    let store = memory().await;
    let old: Vec<GameRow> = (0..3).map(|number| game(GameStatus::Cancelled, &[], number)).collect();
    let event = Uuid::new_v4();
    let of_event = GameRow { event_id: Some(event), ..game(GameStatus::Cancelled, &[Uuid::new_v4()], 700) };
    let unplayed = [game(GameStatus::Cancelled, &[], 600), of_event];
    let keep = [
        game(GameStatus::Cancelled, &[], 600),
        GameRow { event_id: Some(event), ..game(GameStatus::Cancelled, &[], 0) },
        game(GameStatus::Completed, &[], 0),
        game(GameStatus::Cancelled, &[], 1000),
    ];
    store.upsert_games(&old, EndedGames::default()).await.unwrap();
    let ids: Vec<Uuid> = unplayed.iter().chain(&keep[3..]).map(|game| game.id).collect();
    store.upsert_games(&unplayed, EndedGames { unplayed: &ids, ..EndedGames::default() }).await.unwrap();
    store.upsert_games(&keep, EndedGames { unplayed: &ids, ..EndedGames::default() }).await.unwrap();
    let mut removed = vec![];
    for _ in 0..4 {
        removed.push(store.forget_games(before(500), 2).await.unwrap());
    }
    assert_eq!(removed, [2, 2, 1, 0]);
    for game in keep {
        assert_eq!(store.game(game.id).await.unwrap(), Some(game));
    }
    let player = unplayed[1].players[0];
    let over = [GameStatus::Completed, GameStatus::Cancelled];
    assert_eq!(store.games_by_event(event, &over, 0, 10).await.unwrap().total, 1);
    assert_eq!(store.games_by_user(player, &over, 0, 10).await.unwrap().total, 0);
}

/// The latest record of the journal always stays, and a start that cannot find its games fails.
#[tokio::test(flavor = "multi_thread")]
async fn games_that_the_journal_names_are_not_forgotten() {
    let store = memory().await;
    let games = [1, 2].map(|seq| GameRow { journal_seq: seq, ..game(GameStatus::Cancelled, &[], 0) });
    store.upsert_games(&games, EndedGames::default()).await.unwrap();
    let journal = Journal::start(store.clone(), JournalOptions::default(), |_| ()).await.unwrap();
    for _ in 0..2 {
        let seq = journal.handle().last_seq();
        journal.handle().append(vec![7], ()).unwrap();
        while journal.handle().last_seq() == seq {
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(store.forget_games(before(500), 10).await.unwrap(), 0);
    store.trim_journal(u64::MAX, 0).await.unwrap();
    assert_eq!(store.forget_games(before(500), 10).await.unwrap(), 1);
    assert_eq!(store.game(games[1].id).await.unwrap().as_ref(), Some(&games[1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_shared_twice_at_once_has_one_token() {
    let store = memory().await;
    let game = game(GameStatus::Completed, &[], 0);
    store.upsert_games(std::slice::from_ref(&game), EndedGames::default()).await.unwrap();
    let (one, other) = tokio::join!(store.share_game(game.id, "one"), store.share_game(game.id, "other"));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one, other);
    assert_eq!(store.game_by_share_token(&one).await.unwrap().map(|game| game.id), Some(game.id));
    assert_eq!(store.share_game(Uuid::new_v4(), "x").await.unwrap_err(), StoreError::NotFound("game"));
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

async fn open(folder: &Path) -> Store {
    Store::open(&DatabaseUrl::Folder(folder.join("db")), OpenOptions::default()).await.unwrap()
}

async fn exported(folder: &Path) -> (Vec<u32>, Vec<DumpRecord>) {
    let mut reader = DumpReader::open(&folder.join("db"), None).await.unwrap();
    let mut all = vec![];
    loop {
        let records = reader.next().await.unwrap();
        if records.is_empty() {
            break;
        }
        all.extend(records);
    }
    reader.close().await.unwrap();
    (reader.migrations().to_vec(), all)
}

/// A folder into which this was imported, where finished games are rows.
async fn imported((migrations, records): (Vec<u32>, Vec<DumpRecord>)) -> TempDir {
    let folder = TempDir::new().unwrap();
    let writer = DumpWriter::create(&folder.path().join("db"), &migrations, None).await.unwrap();
    for record in records {
        writer.insert(&record.table.clone(), vec![record]).await.unwrap();
    }
    writer.finish().await.unwrap();
    folder
}

/// Twelve games of an event and of none, completed, cancelled, shared and live.
struct Season {
    ann: Uuid,
    bob: Uuid,
    event: Uuid,
    games: Vec<GameRow>,
}

impl Season {
    fn new() -> Self {
        let (ann, bob, event) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
        let mut games: Vec<GameRow> = (0..12).map(|number| game(GameStatus::Completed, &[ann, bob], number)).collect();
        games[3].status = GameStatus::Cancelled;
        games[4].status = GameStatus::Cancelled;
        games[5].players = vec![bob, Uuid::new_v4()];
        games[11] = game(GameStatus::Active, &[ann, bob], 11);
        for number in [4, 5, 6, 7] {
            games[number].event_id = Some(event);
        }
        Self { ann, bob, event, games }
    }

    /// What a history says of the completed games between the two.
    fn played(&self, row: &GameRow) -> Option<PlayedGame> {
        (row.status == GameStatus::Completed && row.players == [self.ann, self.bob]).then(|| PlayedGame {
            game_id: row.id,
            players: [self.ann, self.bob],
            winner: Some(self.ann),
            kind: PlayedKind::Casual,
            board_size: 3,
            clock: "turn15".to_owned(),
            reason: None,
            event_id: row.event_id,
            moves: 5,
            at: row.created_at,
        })
    }

    /// Everything that lists or finds games.
    async fn found(&self, store: &Store) -> (Vec<GamePage>, BTreeMap<Uuid, Option<GameRow>>, Vec<GameRow>, Vec<Uuid>) {
        let mut pages = vec![];
        for statuses in [&FINISHED[..], &OVER[..], &OVER[1..]] {
            for (skip, limit) in [(0, 20), (2, 3), (20, 5)] {
                for user in [self.ann, self.bob] {
                    pages.push(store.games_by_user(user, statuses, skip, limit).await.unwrap());
                    let in_event = store.games_by_event_and_user(self.event, user, statuses, skip, limit).await;
                    pages.push(in_event.unwrap());
                }
                pages.push(store.games_by_event(self.event, statuses, skip, limit).await.unwrap());
            }
        }
        let mut single = BTreeMap::new();
        for game in &self.games {
            single.insert(game.id, store.game(game.id).await.unwrap());
        }
        let mut all = store.all_games(None, 5).await.unwrap();
        all.extend(store.all_games(Some(all[4].id), 20).await.unwrap());
        let ids: Vec<Uuid> = self.games.iter().map(|game| game.id).collect();
        let mut finished = store.finished_games(&ids).await.unwrap();
        finished.extend(store.ids_between(IdTable::Game, Uuid::nil()..=Uuid::max(), 100).await.unwrap());
        let mut sorted = ids;
        sorted.sort_unstable();
        for limit in [4, 20] {
            let between = store.ids_between(IdTable::Game, sorted[2]..=sorted[8], limit).await.unwrap();
            assert_eq!(between, sorted[2..9][..limit.min(7)]);
        }
        assert_eq!(store.game_by_share_token("tok").await.unwrap().map(|game| game.id), Some(self.games[8].id));
        (pages, single, all, finished)
    }
}

/// What is listed is the same whether a game is a row, as in earlier data and after an import, or a record, and on disk as
/// in memory.
#[tokio::test(flavor = "multi_thread")]
async fn rows_of_finished_games_become_records_and_everything_else_stays() {
    let season = Season::new();
    let (folder, store) = on_disk().await;
    let in_memory = memory().await;
    for store in [&store, &in_memory] {
        let played: Vec<PlayedGame> = season.games.iter().filter_map(|game| season.played(game)).collect();
        store.upsert_games(&season.games, EndedGames { played: &played, ..EndedGames::default() }).await.unwrap();
        store.set_share_token(season.games[8].id, Some("tok")).await.unwrap();
    }
    let expected = season.found(&store).await;
    assert_eq!(expected, season.found(&in_memory).await);
    assert_eq!((expected.0[0].total, expected.2.len(), expected.3.len()), (8, 12, 11 + 12));
    assert_eq!(store.finished_rows(None, 100).await.unwrap().0, []);
    store.close().await.unwrap();

    let export = exported(folder.path()).await;
    let copy = imported(export.clone()).await;
    assert_eq!(exported(copy.path()).await, export, "an import is exported as it was");
    let store = open(copy.path()).await;
    assert_eq!(season.found(&store).await, expected, "as rows");
    let mut after = None;
    let mut steps = 0;
    while let (rows, Some(last)) = store.finished_rows(after, 5).await.unwrap() {
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        store.adopt_finished_rows(&ids, |row| season.played(row)).await.unwrap();
        assert_eq!(season.found(&store).await, expected, "in the middle");
        (after, steps) = (Some(last), steps + 1);
    }
    assert_eq!((steps, store.finished_rows(None, 100).await.unwrap().0), (3, vec![]));
    // As a start does.
    assert_eq!(store.live_games().await.unwrap().len(), 1);
    store.set_all_adopted();
    assert_eq!(season.found(&store).await, expected, "without a look at rows");
    let history = store.played_games(season.ann, &PlayedFilter::of(&PlayedKind::ALL), 0, 100).await.unwrap();
    assert_eq!((history.games.len(), history.total), (8, 8));
    store.close().await.unwrap();
    let again = exported(copy.path()).await;
    assert_eq!(again, export, "what is exported of records is what is exported of rows");
}

/// Changes of finished games, of rows and of records.
#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_is_changed_wherever_it_is() {
    let season = Season::new();
    let (folder, store) = on_disk().await;
    store.upsert_games(&season.games, EndedGames::default()).await.unwrap();
    store.set_share_token(season.games[8].id, Some("tok")).await.unwrap();
    store.close().await.unwrap();
    let copy = imported(exported(folder.path()).await).await;
    for folder in [folder.path(), copy.path()] {
        let store = open(folder).await;
        let (game, cleo) = (&season.games[6], Uuid::new_v4());
        let state = Bytes::from_static(b"renamed");
        store.replace_game_state(game.id, state.clone()).await.unwrap();
        assert_eq!(store.game(game.id).await.unwrap(), Some(GameRow { state: state.clone(), ..game.clone() }));
        store.replace_game_players(game.id, state.clone(), vec![season.ann, cleo]).await.unwrap();
        let ids = |page: GamePage| page.games.iter().map(|game| game.id).collect::<Vec<_>>();
        assert_eq!(ids(store.games_by_user(cleo, &FINISHED, 0, 10).await.unwrap()), [game.id]);
        assert_eq!(store.games_by_user(season.ann, &FINISHED, 0, 10).await.unwrap().total, 8);
        assert_eq!(store.games_by_user(season.bob, &FINISHED, 0, 10).await.unwrap().total, 8);
        assert_eq!(store.games_by_event(season.event, &FINISHED, 0, 10).await.unwrap().total, 3);

        let [shared, other] = [season.games[8].id, season.games[9].id];
        assert_eq!(
            store.set_share_token(other, Some("tok")).await.unwrap_err(),
            StoreError::Taken(morpion_store::Unique::Id)
        );
        store.set_share_token(shared, Some("new")).await.unwrap();
        assert_eq!(store.game_by_share_token("tok").await.unwrap(), None);
        assert_eq!(store.game_by_share_token("new").await.unwrap().unwrap().share_token.as_deref(), Some("new"));
        store.set_share_token(shared, None).await.unwrap();
        assert_eq!(store.game_by_share_token("new").await.unwrap(), None);
        assert_eq!(store.game(shared).await.unwrap().unwrap().share_token, None);

        assert_eq!(store.forget_games(before(500), 10).await.unwrap(), 1, "only that of no event");
        assert_eq!(store.game(season.games[3].id).await.unwrap(), None);
        assert_eq!(store.games_by_user(season.ann, &OVER[1..], 0, 10).await.unwrap().total, 1);
        store.close().await.unwrap();
    }
}

/// A query that makes a row of a game between two people.
fn row_of(game: &GameRow, status: &str) -> String {
    let [first, second] =
        [0_usize, 1].map(|seat| game.players.get(seat).map_or("NONE".to_owned(), |id| format!("u'{id}'")));
    format!(
        "CREATE type::record('game', u'{id}') CONTENT {{ gid: u'{id}', status: '{status}', game_type: 'remote', \
         players: [], first_seat: {first}, second_seat: {second}, created_at: d'{created}', journal_seq: 1, \
         state: <bytes>[1], newest_first: {newest} }} RETURN NONE",
        id = game.id,
        created = game.created_at.format("%Y-%m-%dT%H:%M:%SZ"),
        newest = -game.created_at.timestamp_millis(),
    )
}

/// A crash between the record of a game's end and the removal of the row that it had while it was live.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_was_left_behind_is_not_a_live_game() {
    let (folder, store) = on_disk().await;
    let [ended, live] = [GameStatus::Completed, GameStatus::Active].map(|status| game(status, &[], 0));
    store.upsert_games(&[ended.clone(), live.clone()], EndedGames::default()).await.unwrap();
    store.close().await.unwrap();
    raw_query(&folder.path().join("db"), &row_of(&ended, "active")).await;

    let (_, records) = exported(folder.path()).await;
    assert_eq!(records.iter().filter(|record| record.table == "game").count(), 2, "it is exported once");
    let store = open(folder.path()).await;
    assert_eq!(store.game(ended.id).await.unwrap(), Some(ended.clone()));
    assert_eq!(store.live_games().await.unwrap(), [live]);
    assert_eq!(store.all_games(None, 10).await.unwrap().len(), 2);
    store.close().await.unwrap();
    let rows = raw_query(&folder.path().join("db"), "RETURN count(SELECT id FROM game)").await;
    assert_eq!(rows, surrealdb::types::Value::Number(1.into()));
}

/// A stop between the two steps that make a record of a row.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_game_that_is_both_a_row_and_a_record_is_kept() {
    let (folder, store) = on_disk().await;
    let row = game(GameStatus::Completed, &[Uuid::new_v4(), Uuid::new_v4()], 0);
    store.upsert_games(std::slice::from_ref(&row), EndedGames::default()).await.unwrap();
    store.close().await.unwrap();
    raw_query(&folder.path().join("db"), &row_of(&row, "completed")).await;

    let store = open(folder.path()).await;
    let state = Bytes::from_static(b"renamed");
    store.replace_game_state(row.id, state.clone()).await.unwrap();
    store.set_share_token(row.id, Some("tok")).await.unwrap();
    let (rows, _) = store.finished_rows(None, 10).await.unwrap();
    assert_eq!(rows.len(), 1);
    store.adopt_finished_rows(&[row.id], |_| None).await.unwrap();
    assert_eq!(store.finished_rows(None, 10).await.unwrap().0, []);
    let kept = GameRow { state, share_token: Some("tok".to_owned()), ..row.clone() };
    assert_eq!(store.game_by_share_token("tok").await.unwrap(), Some(kept.clone()));
    assert_eq!(store.game(row.id).await.unwrap(), Some(kept));
    assert_eq!(store.games_by_user(row.players[0], &FINISHED, 0, 10).await.unwrap().total, 1);
    store.close().await.unwrap();
}

/// A crash between the two steps that make records of rows.
#[tokio::test(flavor = "multi_thread")]
async fn games_of_an_adoption_that_did_not_end_are_counted_once() {
    let (folder, store) = on_disk().await;
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    let [completed, cancelled, mut row] = [GameStatus::Completed, GameStatus::Cancelled, GameStatus::Completed]
        .map(|status| game(status, &[ann, bob], 0));
    row.id = Uuid::max();
    store.upsert_games(&[completed.clone(), cancelled.clone()], EndedGames::default()).await.unwrap();
    store.close().await.unwrap();
    let left = [row_of(&completed, "completed"), row_of(&cancelled, "cancelled"), row_of(&row, "completed")];
    raw_query(&folder.path().join("db"), &left.join("; ")).await;

    let store = open(folder.path()).await;
    // As a start does.
    assert_eq!(store.live_games().await.unwrap(), []);
    for user in [ann, bob] {
        let page = store.games_by_user(user, &OVER, 0, 10).await.unwrap();
        assert_eq!((page.games.len(), page.total), (3, 3));
    }
    let (rows, _) = store.finished_rows(None, 10).await.unwrap();
    assert_eq!(rows.iter().map(|game| game.id).collect::<Vec<_>>(), [row.id], "it is no record yet");
    assert_eq!(store.game(completed.id).await.unwrap(), Some(completed));
    store.close().await.unwrap();
}
