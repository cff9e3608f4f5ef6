//! Ratings and their receipts: stored with the game's row, once, and listed.

mod common;

use bytes::Bytes;
use chrono::TimeDelta;
use common::{account, at, memory};
use morpion_store::{
    EndedGames, GameRow, GameStatus, RatedGameRow, RatingLedger, RatingRow, RatingUpdate, RatingValues, Store,
    StoreError,
};
use uuid::Uuid;

fn values(value: f64, deviation: f64) -> RatingValues {
    RatingValues { value, deviation, volatility: 0.06 }
}

const START: RatingValues = RatingValues { value: 1_500.0, deviation: 350.0, volatility: 0.06 };

fn rating(user_id: Uuid, value: f64, deviation: f64) -> RatingRow {
    let ranked_until = (deviation < 110.0).then(|| at(1_000));
    let rating = values(value, deviation);
    RatingRow { user_id, rating, games: 1, wins: 1, losses: 0, draws: 0, rated_at: at(70), ranked_until }
}

fn game(first: Uuid, second: Uuid) -> GameRow {
    GameRow {
        id: Uuid::new_v4(),
        status: GameStatus::Completed,
        game_type: "quick".to_owned(),
        event_id: None,
        players: vec![first, second],
        created_at: at(10),
        ended_at: Some(at(70)),
        journal_seq: 3,
        state: Bytes::from_static(b"state"),
        share_token: None,
    }
}

fn receipt(game: &GameRow, seq: i64, after: f64) -> RatedGameRow {
    RatedGameRow {
        game_id: game.id,
        seq,
        at: at(70),
        board_size: 3,
        first: game.players[0],
        second: game.players[1],
        score: 1.0,
        first_before: START,
        first_after: values(after, 290.0),
        second_before: START,
        second_after: values(3_000.0 - after, 290.0),
    }
}

async fn store_rated(store: &Store, game: &GameRow, update: &RatingUpdate) -> Result<(), StoreError> {
    store.upsert_rated_games(std::slice::from_ref(game), EndedGames::default(), update).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_rated_once_with_its_row() {
    let store = memory().await;
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    let first = game(ann, bob);
    let ledger = store.rating_ledger(&[first.id], &[ann, bob]).await.unwrap();
    assert_eq!(ledger, RatingLedger { last: 0, rated: vec![], ratings: vec![], deleted: vec![], bots: vec![] });
    let ratings = vec![rating(ann, 1_662.0, 290.0), rating(bob, 1_338.0, 290.0)];
    let update = RatingUpdate { ledger: 0, receipts: vec![receipt(&first, 1, 1_662.0)], ratings: ratings.clone() };
    store_rated(&store, &first, &update).await.unwrap();
    assert_eq!(store.rated_game(first.id).await.unwrap().as_ref(), Some(&update.receipts[0]));
    assert_eq!(store.rating(ann).await.unwrap().as_ref(), Some(&ratings[0]));

    // Again, as after a commit whose sync failed; and another game computed from the same ledger.
    for (again, seq) in [(first.clone(), 1), (game(ann, bob), 1), (game(ann, bob), 2)] {
        let stale = RatingUpdate { receipts: vec![receipt(&again, seq, 1_900.0)], ..update.clone() };
        let refused = store_rated(&store, &again, &stale).await.unwrap_err();
        assert_eq!(refused, StoreError::Changed("ratings"));
    }
    assert_eq!(store.game(first.id).await.unwrap(), Some(first.clone()));
    let ledger = store.rating_ledger(&[first.id, Uuid::new_v4()], &[ann, bob]).await.unwrap();
    assert_eq!((ledger.last, ledger.rated), (1, vec![first.id]));
    assert_eq!(store.last_receipt().await.unwrap(), 1);

    let second = game(bob, ann);
    let update = RatingUpdate {
        ledger: 1,
        receipts: vec![receipt(&second, 2, 1_400.0)],
        ratings: vec![rating(ann, 1_600.0, 250.0), rating(bob, 1_400.0, 250.0)],
    };
    store_rated(&store, &second, &update).await.unwrap();
    let curve = |user| store.rating_curve(user, 10);
    let sequences = |curve: Vec<RatedGameRow>| curve.iter().map(|receipt| receipt.seq).collect::<Vec<_>>();
    assert_eq!(sequences(curve(ann).await.unwrap()), [2, 1], "as O, then as X");
    assert_eq!(sequences(store.rating_curve(bob, 1).await.unwrap()), [2]);
    assert_eq!(sequences(store.receipts_from(1, 1).await.unwrap()), [1]);
    assert_eq!(sequences(store.receipts_from(2, 5).await.unwrap()), [2]);
    assert_eq!(store.games_rated(&[first.id, Uuid::new_v4(), second.id]).await.unwrap().len(), 2);
    assert_eq!(store.all_ratings(None, 1).await.unwrap().len(), 1);
    let mut users = [ann, bob];
    users.sort();
    assert_eq!(store.all_ratings(Some(users[0]), 5).await.unwrap()[0].user_id, users[1]);
    assert_eq!(store.all_games(None, 5).await.unwrap().len(), 2);
    assert_eq!(store.games(&[second.id, Uuid::new_v4()]).await.unwrap(), [second]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_has_those_whose_rating_is_certain() {
    let store = memory().await;
    let users: Vec<Uuid> = (0..5).map(|_| Uuid::new_v4()).collect();
    let row = |at: usize, value, deviation| rating(users[at], value, deviation);
    let mut ratings =
        vec![row(0, 1_500.0, 80.0), row(1, 1_700.5, 109.9), row(2, 2_100.0, 110.0), row(3, 1_400.0, 60.0)];
    ratings[3].ranked_until = Some(at(500));
    let played = game(users[0], users[1]);
    let receipts = vec![receipt(&played, 1, 1_500.0)];
    store_rated(&store, &played, &RatingUpdate { ledger: 0, receipts, ratings }).await.unwrap();
    let listed = |limit| store.rating_list(limit);
    let (first, second) = ((users[1], 1_700.5), (users[0], 1_500.0));
    assert_eq!(listed(10).await.unwrap(), [first, second, (users[3], 1_400.0)]);
    assert_eq!(listed(1).await.unwrap(), [first]);

    assert_eq!(store.purge_rating_list(at(500) - TimeDelta::seconds(1)).await.unwrap(), 0);
    assert_eq!(store.purge_rating_list(at(500)).await.unwrap(), 1);
    assert_eq!(listed(10).await.unwrap(), [first, second]);
    assert_eq!(store.rating(users[3]).await.unwrap().unwrap().ranked_until, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_loses_its_rating_and_leaves_its_receipts() {
    let store = memory().await;
    let ann = store.create_user(account("Ann")).await.unwrap().id;
    let bob = store.create_user(account("Bob")).await.unwrap().id;
    let played = game(ann, bob);
    let ratings = vec![rating(ann, 1_662.0, 90.0), rating(bob, 1_338.0, 90.0)];
    let update = RatingUpdate { ledger: 0, receipts: vec![receipt(&played, 1, 1_662.0)], ratings };
    store_rated(&store, &played, &update).await.unwrap();
    store.delete_user(ann, at(100)).await.unwrap();
    assert_eq!(store.rating(ann).await.unwrap(), None);
    assert_eq!(store.rating_list(10).await.unwrap(), [(bob, 1_338.0)]);
    assert_eq!(store.rated_game(played.id).await.unwrap().as_ref(), Some(&update.receipts[0]));
    let ledger = store.rating_ledger(&[], &[ann, bob]).await.unwrap();
    assert_eq!(ledger.ratings.iter().map(|row| row.user_id).collect::<Vec<_>>(), [bob]);
    assert_eq!(ledger.deleted, [(ann, Some(update.receipts[0].clone()))]);
    store.delete_rating(ann).await.unwrap();
}
