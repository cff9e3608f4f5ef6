//! What is stored of engine use: the games that wait to be compared, and what they came to.

mod common;

use bytes::Bytes;
use common::{account, at, memory};
use morpion_store::{EngineUseRow, EngineUseUpdate};
use uuid::Uuid;

fn update(user: Uuid, rank: i64) -> EngineUseUpdate {
    let row = EngineUseRow {
        user,
        rank,
        level: "usual".to_owned(),
        score: 1.5,
        chance: 0.07,
        games: 3,
        seen: 9,
        found: 7,
        expected: 6.5,
        updated_at: at(5),
    };
    EngineUseUpdate { row, evidence: Bytes::from(vec![rank.unsigned_abs() as u8]) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_waits_once_until_it_is_compared_or_left_out() {
    let store = memory().await;
    let games = [1, 2, 3].map(Uuid::from_u128);
    store.queue_comparisons(&games[..2], at(1)).await.unwrap();
    store.queue_comparisons(&games, at(2)).await.unwrap();
    let waiting = store.waiting_comparisons(10).await.unwrap();
    assert_eq!(waiting.iter().map(|game| game.game).collect::<Vec<_>>(), games);
    assert_eq!(waiting.iter().map(|game| game.at).collect::<Vec<_>>(), [at(1), at(1), at(2)]);
    store.skip_comparison(games[0]).await.unwrap();
    store.store_comparison(games[1], vec![], None).await.unwrap();
    assert_eq!(store.waiting_comparisons(10).await.unwrap().len(), 1);
    store.queue_comparisons(&[4, 5, 6].map(Uuid::from_u128), at(3)).await.unwrap();
    assert_eq!(store.drop_comparisons(4).await.unwrap(), 0);
    assert_eq!(store.drop_comparisons(3).await.unwrap(), 1);
    assert_eq!(store.waiting_comparisons(10).await.unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_most_unusual_come_first_and_a_deleted_account_leaves_nothing() {
    let store = memory().await;
    let users = [account("ann"), account("bob"), account("cid")];
    for user in &users {
        store.create_user(user.clone()).await.unwrap();
    }
    let [ann, bob, cid] = users.map(|user| user.id);
    let game = Uuid::from_u128(1);
    assert_eq!(store.engine_use_page(0, 10).await.unwrap(), (vec![], 0));
    store.store_comparison(game, vec![update(ann, 9), update(bob, -4)], Some(Bytes::from("c"))).await.unwrap();
    store.store_comparison(game, vec![update(cid, 2), update(ann, 7)], None).await.unwrap();
    let rows = [bob, cid, ann].into_iter().zip([-4, 2, 7]).map(|(user, rank)| update(user, rank).row);
    assert_eq!(store.engine_use_page(0, 10).await.unwrap(), (rows.collect(), 3));
    assert_eq!(store.engine_use_page(1, 1).await.unwrap(), (vec![update(cid, 2).row], 3));
    assert_eq!(store.engine_use_evidence(ann).await.unwrap(), Some(Bytes::from(vec![7])));
    assert_eq!(store.engine_use(bob).await.unwrap(), Some(update(bob, -4).row));
    assert_eq!(store.engine_use_expectation().await.unwrap(), Some(Bytes::from("c")));

    store.delete_user(ann, at(9)).await.unwrap();
    assert_eq!(store.engine_use(ann).await.unwrap(), None);
    assert_eq!(store.engine_use_evidence(ann).await.unwrap(), None);
    store.store_comparison(game, vec![update(ann, 1)], None).await.unwrap();
    store.store_comparison(game, vec![update(Uuid::new_v4(), 1)], None).await.unwrap();
    assert_eq!(store.engine_use_page(0, 10).await.unwrap().1, 2);
}
