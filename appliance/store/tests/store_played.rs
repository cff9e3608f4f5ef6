//! What players played: counted once, listed by filters, moved with guests, forgotten with accounts.

mod common;

use chrono::TimeDelta;
use common::{at, contents, memory, on_disk, raw_query};
use morpion_store::{
    Counts, DatabaseUrl, EndedGames, GameRow, GameStatus, MOST_PAGED, MOST_SCANNED, OpenOptions, PlayedFilter,
    PlayedGame, PlayedKind, PlayedResult, Store,
};
use surrealdb::types::SurrealValue;
use uuid::Uuid;

fn game(players: [Uuid; 2], winner: Option<Uuid>, kind: PlayedKind, board_size: u8, number: i64) -> PlayedGame {
    PlayedGame {
        game_id: Uuid::new_v4(),
        players,
        winner,
        kind,
        board_size,
        clock: "turn15".to_owned(),
        reason: winner.map(|_| "line".to_owned()),
        event_id: (kind == PlayedKind::Event).then(Uuid::new_v4),
        moves: 7,
        at: at(number),
    }
}

async fn end(store: &Store, played: &[PlayedGame]) {
    store.upsert_games(&[], EndedGames { played, ..EndedGames::default() }).await.unwrap();
}

async fn total(store: &Store, user: Uuid) -> Counts {
    store.tallies(user).await.unwrap().iter().fold(Counts::default(), |sum, tally| Counts {
        wins: sum.wins + tally.counts.wins,
        losses: sum.losses + tally.counts.losses,
        draws: sum.draws + tally.counts.draws,
    })
}

fn counts(wins: i64, losses: i64, draws: i64) -> Counts {
    Counts { wins, losses, draws }
}

fn all() -> PlayedFilter {
    PlayedFilter::of(&PlayedKind::ALL)
}

async fn listed(store: &Store, user: Uuid, filter: &PlayedFilter) -> Vec<Uuid> {
    let page = store.played_games(user, filter, 0, 100).await.unwrap();
    assert_eq!(page.total.min(100), page.games.len() as u64);
    page.games.iter().map(|game| game.game_id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_counted_once_however_often_it_is_stored() {
    let (_folder, store) = on_disk().await;
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    let games = [
        game([ann, bob], Some(ann), PlayedKind::Invite, 3, 1),
        game([bob, ann], Some(ann), PlayedKind::Event, 3, 2),
        game([ann, bob], None, PlayedKind::Casual, 4, 3),
    ];
    for _ in 0..3 {
        end(&store, &games).await;
    }
    // At the same time, as checkpoints and a guest's adoption do it.
    let mut again = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (store, games) = (store.clone(), games.clone());
        again.spawn(async move { end(&store, &games).await });
    }
    again.join_all().await;

    assert_eq!(total(&store, ann).await, counts(2, 0, 1));
    assert_eq!(total(&store, bob).await, counts(0, 2, 1));
    assert_eq!(store.versus(ann, bob).await.unwrap().unwrap().counts, counts(2, 0, 1));
    assert_eq!(store.versus(bob, ann).await.unwrap().unwrap().counts, counts(0, 2, 1));
    assert_eq!(listed(&store, bob, &all()).await, [games[2].game_id, games[1].game_id, games[0].game_id]);
    let tallies = store.tallies(ann).await.unwrap();
    let on_three: i64 = tallies.iter().filter(|tally| tally.board_size == 3).map(|tally| tally.counts.wins).sum();
    assert_eq!((tallies.len(), on_three), (3, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_filter_lists_what_a_scan_of_all_games_does() {
    let (_folder, on_disk) = on_disk().await;
    for store in [on_disk, memory().await] {
        every_filter_of(&store).await;
    }
}

async fn every_filter_of(store: &Store) {
    let people: Vec<Uuid> = (0..4).map(|_| Uuid::new_v4()).collect();
    let ann = people[0];
    let mut games = vec![];
    for number in 0..120_i64 {
        let other = people[1 + (number % 3) as usize];
        let players = if number % 2 == 0 { [ann, other] } else { [other, ann] };
        let winner = [Some(ann), None, Some(other), Some(ann), Some(other)][(number % 5) as usize];
        let kind = PlayedKind::ALL[(number / 2 % 5) as usize];
        games.push(game(players, winner, kind, 3 + (number % 4) as u8, number));
    }
    end(store, &games).await;
    games.reverse();

    let results = [None, Some(PlayedResult::Won), Some(PlayedResult::Lost), Some(PlayedResult::Drawn)];
    let kinds: [&[PlayedKind]; 5] =
        [&PlayedKind::ALL, &PlayedKind::PUBLIC, &[PlayedKind::Casual, PlayedKind::Invite], &[PlayedKind::Rated], &[]];
    for result in results {
        for board_size in [None, Some(3), Some(6)] {
            for opponent in [None, Some(people[2])] {
                for kinds in kinds {
                    let filter = PlayedFilter { kinds: kinds.to_vec(), result, board_size, opponent };
                    let holds = |game: &&PlayedGame| {
                        let own = match game.winner {
                            None => PlayedResult::Drawn,
                            Some(winner) if winner == ann => PlayedResult::Won,
                            Some(_) => PlayedResult::Lost,
                        };
                        kinds.contains(&game.kind)
                            && result.is_none_or(|result| result == own)
                            && board_size.is_none_or(|size| size == game.board_size)
                            && opponent.is_none_or(|opponent| game.players.contains(&opponent))
                    };
                    let expected: Vec<Uuid> = games.iter().filter(holds).map(|game| game.game_id).collect();
                    let found: Vec<Uuid> = listed(store, ann, &filter).await;
                    // The first hundred fit into the page.
                    assert_eq!(found, expected[..expected.len().min(100)], "{filter:?}");
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_go_on_where_the_last_one_ended_and_end_at_the_bound() {
    let (_folder, store) = on_disk().await;
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    let games: Vec<PlayedGame> =
        (0..50).map(|number| game([ann, bob], Some(bob), PlayedKind::Rated, 3, number)).collect();
    end(&store, &games).await;
    let lost = PlayedFilter { result: Some(PlayedResult::Lost), ..all() };
    for filter in [all(), lost, PlayedFilter { opponent: Some(bob), ..all() }] {
        let page = store.played_games(ann, &filter, 20, 20).await.unwrap();
        let expected: Vec<Uuid> = games.iter().rev().skip(20).take(20).map(|game| game.game_id).collect();
        assert_eq!(page.total, 50);
        assert_eq!(page.games.iter().map(|game| game.game_id).collect::<Vec<_>>(), expected);
        for skip in [50, MOST_PAGED, usize::MAX / 2] {
            let beyond = store.played_games(ann, &filter, skip, 100).await.unwrap();
            assert_eq!((beyond.games.len(), beyond.total), (0, 50), "{skip}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_opponents_come_first() {
    let (_folder, store) = on_disk().await;
    let people: Vec<Uuid> = (0..4).map(|_| Uuid::new_v4()).collect();
    let order = [1, 2, 3, 1];
    let games: Vec<PlayedGame> = (0..)
        .zip(order)
        .map(|(number, other)| game([people[0], people[other]], None, PlayedKind::Invite, 3, number))
        .collect();
    end(&store, &games).await;
    // An older game that is counted later changes no order.
    end(&store, &[game([people[0], people[2]], None, PlayedKind::Invite, 3, -9)]).await;
    let latest = store.latest_opponents(people[0], 10).await.unwrap();
    assert_eq!(latest.iter().map(|versus| versus.opponent).collect::<Vec<_>>(), [people[1], people[3], people[2]]);
    assert_eq!((latest[0].counts, latest[2].counts), (counts(0, 0, 2), counts(0, 0, 2)));
    assert_eq!(latest[0].last_at, games[3].at);
    assert_eq!(store.latest_opponents(people[0], 1).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_a_guest_move_to_the_account_and_the_opponent_sees_it() {
    let (_folder, store) = on_disk().await;
    let (guest, account, bob) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
    let games: Vec<PlayedGame> =
        (0..130).map(|number| game([guest, bob], Some(guest), PlayedKind::Invite, 3, number)).collect();
    end(&store, &games).await;
    end(&store, &[game([guest, account], Some(account), PlayedKind::Invite, 3, 500)]).await;
    end(&store, &[game([account, bob], Some(bob), PlayedKind::Event, 4, 600)]).await;
    for _ in 0..2 {
        store.move_played_games(guest, account).await.unwrap();
    }
    assert_eq!(total(&store, account).await, counts(131, 1, 0), "with the win against the guest");
    assert_eq!(store.versus(account, bob).await.unwrap().unwrap().counts, counts(130, 1, 0));
    assert_eq!(store.versus(bob, account).await.unwrap().unwrap().counts, counts(1, 130, 0));
    assert_eq!(store.versus(bob, guest).await.unwrap(), None);
    assert_eq!(total(&store, bob).await, counts(1, 130, 0), "nobody else's results change");
    let page = store.played_games(bob, &all(), 0, 100).await.unwrap();
    assert!(page.games.iter().all(|game| game.opponent == account));
    // The game against the account itself stays the guest's, until the guest is forgotten.
    assert_eq!(
        store.played_games(guest, &PlayedFilter { opponent: Some(account), ..all() }, 0, 9).await.unwrap().games.len(),
        1
    );
    // However often it is stored, the game is not counted for the guest again.
    end(&store, &games[..1]).await;
    assert_eq!(store.versus(bob, guest).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_account_stays_in_the_histories_of_others() {
    let (_folder, store) = on_disk().await;
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    let games: Vec<PlayedGame> =
        (0..250).map(|number| game([ann, bob], Some(ann), PlayedKind::Event, 3, number)).collect();
    end(&store, &games).await;
    for _ in 0..2 {
        store.forget_played_games(ann).await.unwrap();
    }
    assert_eq!(store.played_games(ann, &all(), 0, 10).await.unwrap().total, 0);
    assert_eq!(listed(&store, ann, &PlayedFilter { opponent: Some(bob), ..all() }).await, Vec::<Uuid>::new());
    assert_eq!((store.tallies(ann).await.unwrap(), store.versus(ann, bob).await.unwrap()), (vec![], None));
    assert_eq!(total(&store, bob).await, counts(0, 250, 0));
    // What was counted is not counted again.
    end(&store, &games[..1]).await;
    assert_eq!(store.tallies(ann).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_looks_through_the_latest_games_and_reads_no_more_than_that() {
    let (_folder, store) = on_disk().await;
    let (ann, bob, cleo) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
    end(&store, &[game([ann, cleo], Some(ann), PlayedKind::Rated, 3, -1)]).await;
    for batch in 0..21 {
        let games: Vec<PlayedGame> =
            (0..1_000).map(|number| game([ann, bob], None, PlayedKind::Casual, 3, batch * 1_000 + number)).collect();
        end(&store, &games).await;
    }
    let before = store.entries_read();
    let won = PlayedFilter { result: Some(PlayedResult::Won), ..all() };
    let page = store.played_games(ann, &won, 0, 20).await.unwrap();
    assert_eq!((page.games.len(), page.total), (0, 1), "it is older than the latest {MOST_SCANNED}");
    assert!(store.entries_read() - before <= MOST_SCANNED as u64 + 1_000);

    // What others are looked through for does not matter to the games between two, and to the latest.
    let before = store.entries_read();
    let between = store.played_games(ann, &PlayedFilter { opponent: Some(cleo), ..all() }, 0, 20).await.unwrap();
    assert_eq!((between.games.len(), between.total), (1, 1));
    let latest = store.played_games(ann, &all(), 0, 20).await.unwrap();
    assert_eq!((latest.games.len(), latest.total), (20, 21_001));
    assert!(store.entries_read() - before < 50, "{}", store.entries_read() - before);
}

#[tokio::test(flavor = "multi_thread")]
async fn histories_of_earlier_versions_are_removed_in_steps() {
    let (folder, store) = on_disk().await;
    store.close().await.unwrap();
    let db = folder.path().join("db");
    let rows = "FOR $n IN 1..=250 { CREATE type::record('played', [$n]); CREATE type::record('counted', $n) }; \
                CREATE history_rebuild:progress SET after = NONE; RETURN NONE";
    raw_query(&db, rows).await;
    let store = Store::open(&DatabaseUrl::Folder(db.clone()), OpenOptions::default()).await.unwrap();
    let mut earlier = store.earlier_histories();
    let mut steps = 1;
    while !earlier.remove_some().await.unwrap() {
        steps += 1;
    }
    assert!(steps > 6, "{steps}");
    assert!(store.earlier_histories().remove_some().await.is_ok());
    store.close().await.unwrap();
    let left =
        "RETURN count(SELECT id FROM played) + count(SELECT id FROM counted) + count(SELECT id FROM history_rebuild)";
    assert_eq!(i64::from_value(raw_query(&db, left).await).unwrap(), 0);
}

/// A drawn game of 3×3 between friends, with as much in its state as the program has: ids, names, times, cells.
fn drawn([ann, bob]: [Uuid; 2], milliseconds: i64) -> (GameRow, PlayedGame) {
    let [id, previous] = [Uuid::new_v4(), Uuid::new_v4()];
    let ended_at = at(0) + TimeDelta::milliseconds(milliseconds);
    let time = &ended_at.timestamp_millis().to_le_bytes()[..6];
    let noise = [Uuid::new_v4(), Uuid::new_v4()].map(Uuid::into_bytes).concat();
    let state = [
        &[1_u8, 110, 16][..],
        id.as_bytes(),
        &[0],
        time,
        &[1],
        time,
        time,
        b"\x01\x10",
        ann.as_bytes(),
        b"\x09player123\x01\x10",
        bob.as_bytes(),
        b"\x09player456\0\0\x02\x03",
        &noise[..6],
        &[0, 1, 0, 0, 0],
        &noise[6..8],
        &[12, 12, 9],
        &noise[8..],
        &[37, 1, 0, 0],
        time,
        &[0],
        time,
        &[0, 1, 80, 1, 16],
        previous.as_bytes(),
    ];
    let row = GameRow {
        id,
        status: GameStatus::Completed,
        game_type: "invite".to_owned(),
        event_id: None,
        players: vec![ann, bob],
        created_at: ended_at,
        ended_at: Some(ended_at),
        journal_seq: milliseconds,
        state: state.concat().into(),
        share_token: None,
    };
    let played = PlayedGame {
        game_id: id,
        clock: "none".to_owned(),
        moves: 9,
        at: ended_at,
        ..game([ann, bob], None, PlayedKind::Invite, 3, 0)
    };
    (row, played)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_takes_at_most_400_bytes_of_the_disk() {
    const GAMES: usize = 2_000;
    const AT_ONCE: usize = 100;
    let (folder, store) = on_disk().await;
    store.close().await.unwrap();
    let bytes = || contents(folder.path()).values().map(Vec::len).sum::<usize>();
    let before = bytes();
    let url = DatabaseUrl::Folder(folder.path().join("db"));
    let store = Store::open(&url, OpenOptions::default()).await.unwrap();
    let pairs: Vec<[Uuid; 2]> = (0..20).map(|_| [Uuid::new_v4(), Uuid::new_v4()]).collect();
    for first in (0..GAMES).step_by(AT_ONCE) {
        let games = first..first + AT_ONCE;
        let (rows, played): (Vec<_>, Vec<_>) =
            games.map(|number| drawn(pairs[number % pairs.len()], number as i64 * 10)).unzip();
        store.upsert_games(&rows, EndedGames { played: &played, ..EndedGames::default() }).await.unwrap();
    }
    store.close().await.unwrap();
    let each = bytes().saturating_sub(before) / GAMES;
    assert!((100..=400).contains(&each), "{each}");
}
