//! Events, sign-ups, and results that are counted once.

mod common;

use bytes::Bytes;
use common::{account, at, memory, on_disk, raw_query};
use morpion_store::{
    ConditionsRow, CorrectionKind, CorrectionRow, CountsRow, DatabaseUrl, EndedGames, EventFilter, EventRow,
    EventState, EventType, GameRow, GameStatus, MonthlyLimit, OpenOptions, QueuePlace, ResultRow, SeriesRow, SignupRow,
    Store, StoreError, StoredClocks, WinnerRow,
};
use uuid::Uuid;

fn event(title: &str, state: EventState, position: i64) -> EventRow {
    EventRow {
        id: Uuid::new_v4(),
        title: title.to_owned(),
        description: "Über alles".to_owned(),
        prize: None,
        event_type: EventType::Open,
        state,
        start_time: Some(at(10)),
        end_time: None,
        max_losses: 3,
        clock: None,
        stages: None,
        max_players: None,
        conditions: None,
        check_in_minutes: None,
        round_times: None,
        check_ins_from: None,
        host: None,
        join_code: None,
        series_id: None,
        vouch: None,
        started_at: None,
        since: None,
        until: None,
        concluded: false,
        created_at: at(0),
        updated_at: at(0),
        winners: vec![],
        signup_count: 0,
        participant_count: 0,
        announcements: vec![],
        invitations: None,
        version: 1,
        position,
    }
}

fn signup(event: Uuid, user: Uuid, seconds: i64) -> SignupRow {
    SignupRow {
        id: Uuid::new_v4(),
        event_id: event,
        user_id: user,
        username: "ann".to_owned(),
        created_at: at(seconds),
        joined_at: None,
        checked_in_at: None,
        level: 1,
        wins: 0,
        losses: 0,
        starts: 0,
        reached_at: at(seconds),
        removed_at: None,
    }
}

async fn stored(store: &Store, event: Uuid, user: Uuid) -> SignupRow {
    let all = store.signups_of_event(event).await.unwrap();
    all.into_iter().find(|row| row.user_id == user).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_changes_only_from_its_expected_state() {
    let store = memory().await;
    let mut cup = event("Cup", EventState::Drafted, 0);
    store.create_event(&cup).await.unwrap();
    cup.state = EventState::Ended;
    cup.winners = vec![WinnerRow { user_id: Uuid::new_v4(), username: "ann".to_owned(), level: 4, wins: 3 }];
    cup.version = 2;
    cup.updated_at = at(5);
    store.update_event(&cup, None, &[]).await.unwrap();
    // Retried after a failed sync: the same change.
    store.update_event(&cup, None, &[]).await.unwrap();
    assert_eq!(store.event(cup.id).await.unwrap(), Some(cup.clone()));
    let stale = EventRow { updated_at: at(6), ..cup.clone() };
    assert_eq!(store.update_event(&stale, None, &[]).await.unwrap_err(), StoreError::Changed("event"));
    let unknown = event("None", EventState::Drafted, 0);
    assert_eq!(store.update_event(&unknown, None, &[]).await.unwrap_err(), StoreError::NotFound("event"));
    assert_eq!(store.open_events().await.unwrap(), [cup.clone()], "its winners are not written");
    cup.concluded = true;
    cup.version = 3;
    store.update_event(&cup, None, &[]).await.unwrap();
    assert_eq!(store.open_events().await.unwrap(), []);
    store.delete_event(cup.id).await.unwrap();
    assert_eq!(store.event(cup.id).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_paged_by_state_and_position() {
    let store = memory().await;
    for number in 0..5 {
        store.create_event(&event(&format!("Started {number}"), EventState::Started, number)).await.unwrap();
        store.create_event(&event(&format!("Published {number}"), EventState::Published, -number)).await.unwrap();
    }
    let mut closed = event("Other", EventState::Published, 99);
    closed.event_type = EventType::Closed;
    store.create_event(&closed).await.unwrap();
    let both = [EventState::Started, EventState::Published];
    let page = async |filter: EventFilter, skip: usize, limit: usize| {
        let page = store.events_page(&both, &filter, skip, limit).await.unwrap();
        (page.events.into_iter().map(|event| event.title).collect::<Vec<_>>(), page.total)
    };
    let none = EventFilter::default;
    assert_eq!(page(none(), 3, 4).await.0, ["Started 3", "Started 4", "Published 4", "Published 3"]);
    assert_eq!(page(none(), 0, 100).await.1, 11);
    assert_eq!(page(none(), 10, 5).await.0, ["Other"]);
    assert_eq!(page(none(), 12, 5).await, (vec![], 11));
    let text = EventFilter { text: Some("TED 2".to_owned()), ..none() };
    assert_eq!(page(text, 0, 10).await, (vec!["Started 2".to_owned()], 1));
    let text = EventFilter { text: Some("über".to_owned()), event_type: Some(EventType::Closed), ..none() };
    assert_eq!(page(text, 0, 10).await, (vec!["Other".to_owned()], 1));
    assert_eq!(store.events_page(&[], &none(), 0, 10).await.unwrap().total, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_up_counts_once() {
    let store = memory().await;
    let cup = event("Cup", EventState::Published, 0);
    store.create_event(&cup).await.unwrap();
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    let first = signup(cup.id, ann, 1);
    store.create_signup(&first, None).await.unwrap();
    store.create_signup(&signup(cup.id, ann, 2), None).await.unwrap();
    store.create_signup(&signup(cup.id, bob, 3), None).await.unwrap();
    store.create_signup(&signup(Uuid::new_v4(), bob, 4), None).await.unwrap();
    assert_eq!(stored(&store, cup.id, ann).await, first);
    assert_eq!(store.signups_of_event(cup.id).await.unwrap().len(), 2);
    assert_eq!(store.event(cup.id).await.unwrap().unwrap().signup_count, 2);
    let (own, total) = store.signups_of_user(bob, 1, 5).await.unwrap();
    assert_eq!((own[0].event_id, own.len(), total), (cup.id, 1, 2), "the newest first");
    assert_eq!(store.current_event(ann).await.unwrap(), Some(cup.id));
    store.delete_signup(cup.id, ann).await.unwrap();
    store.delete_signup(cup.id, ann).await.unwrap();
    assert_eq!(store.event(cup.id).await.unwrap().unwrap().signup_count, 1);
    assert_eq!(store.current_event(ann).await.unwrap(), None);
    store.rename_signups(bob, "robert").await.unwrap();
    assert_eq!(stored(&store, cup.id, bob).await.username, "robert");
    store.set_current_event(ann, Some(cup.id)).await.unwrap();
    assert_eq!(store.current_event(ann).await.unwrap(), Some(cup.id));
    store.set_current_event(ann, None).await.unwrap();
    assert_eq!(store.current_event(ann).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_ups_of_a_month_are_counted_for_free_accounts() {
    let store = memory().await;
    let ann = Uuid::new_v4();
    let free = MonthlyLimit { events: Some(2) };
    let mut cups = vec![];
    for number in 0..3 {
        let cup = event(&format!("Cup {number}"), EventState::Started, 0);
        store.create_event(&cup).await.unwrap();
        cups.push(cup.id);
    }
    let joining = |cup: Uuid| SignupRow { joined_at: Some(at(7)), ..signup(cup, ann, 7) };
    for cup in &cups[..2] {
        store.join_event(&joining(*cup), Some("2027-01"), free).await.unwrap();
    }
    let refused = store.join_event(&joining(cups[2]), Some("2027-01"), free).await.unwrap_err();
    assert_eq!(refused, StoreError::LimitReached);
    assert_eq!(store.signups_of_event(cups[2]).await.unwrap(), [], "nothing was stored");
    store.join_event(&joining(cups[0]), Some("2027-01"), free).await.unwrap();
    store.join_event(&joining(cups[2]), Some("2027-02"), free).await.unwrap();
    store.join_event(&joining(cups[0]), Some("2027-02"), MonthlyLimit { events: Some(1) }).await.unwrap();
    assert_eq!(stored(&store, cups[2], ann).await.joined_at, Some(at(7)));
    assert_eq!(store.event(cups[0]).await.unwrap().unwrap().signup_count, 1);
    // One that does not count.
    let bob = SignupRow { joined_at: Some(at(7)), ..signup(cups[0], Uuid::new_v4(), 7) };
    store.join_event(&bob, None, MonthlyLimit { events: Some(0) }).await.unwrap();
    assert_eq!(store.events_joined(bob.user_id, "2027-01").await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn private_events_are_listed_for_their_host_and_when_asked_for() {
    let store = memory().await;
    let host = Uuid::new_v4();
    let public = event("Public", EventState::Published, 1);
    let private = EventRow { host: Some(host), ..event("Private", EventState::Published, 2) };
    let of_other = EventRow { host: Some(Uuid::new_v4()), ..event("Private, too", EventState::Drafted, 3) };
    for row in [&public, &private, &of_other] {
        store.create_event(row).await.unwrap();
    }
    let all = EventFilter { with_private: true, ..EventFilter::default() };
    let listed = |filter| {
        let store = store.clone();
        async move {
            let page = store.events_page(&[EventState::Published], &filter, 0, 10).await.unwrap();
            (page.events.into_iter().map(|row| row.title).collect::<Vec<_>>(), page.total)
        }
    };
    assert_eq!(listed(EventFilter::default()).await, (vec!["Public".to_owned()], 1));
    assert_eq!(listed(all).await, (vec!["Public".to_owned(), "Private".to_owned()], 2));
    assert_eq!(store.hosted_events(host, 10).await.unwrap(), std::slice::from_ref(&private));
    assert_eq!(store.open_hosted_events(host).await.unwrap(), std::slice::from_ref(&private));
    let over = EventRow { state: EventState::Ended, version: 2, ..private.clone() };
    store.update_event(&over, None, &[]).await.unwrap();
    assert_eq!(store.open_hosted_events(host).await.unwrap(), []);
    let mut ids = store.private_events().await.unwrap();
    ids.sort_unstable();
    let mut expected = vec![private.id, of_other.id];
    expected.sort_unstable();
    assert_eq!(ids, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_of_entry_are_stored_and_absent_from_earlier_events() {
    let (folder, store) = on_disk().await;
    let conditions = ConditionsRow {
        min_rating: Some(1_200),
        max_rating: None,
        min_games: Some(5),
        account_age_days: None,
        bots_allowed: Some(true),
        allow_list: Some(vec![Uuid::from_u128(1), Uuid::from_u128(2)]),
    };
    let cup = EventRow { conditions: Some(conditions), ..event("Cup", EventState::Published, 0) };
    let earlier = event("Earlier", EventState::Published, 1);
    for row in [&cup, &earlier] {
        store.create_event(row).await.unwrap();
    }
    store.close().await.unwrap();
    // As it was written before events had conditions.
    raw_query(&folder.path().join("db"), "UPDATE event UNSET conditions WHERE title = 'Earlier'").await;
    let url = DatabaseUrl::Folder(folder.path().join("db"));
    let store = Store::open(&url, OpenOptions::default()).await.unwrap();
    assert_eq!(store.event(cup.id).await.unwrap().unwrap(), cup);
    assert_eq!(store.event(earlier.id).await.unwrap().unwrap(), earlier);
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_found_by_many_usernames_at_once() {
    let store = memory().await;
    let (ann, bob) = (account("Ann"), account("Bob"));
    for each in [&ann, &bob] {
        store.create_user(each.clone()).await.unwrap();
    }
    let names = ["ANN", "nobody", "bob", "ann"].map(str::to_owned);
    let mut found: Vec<Uuid> = store.users_by_usernames(&names).await.unwrap().iter().map(|user| user.id).collect();
    found.sort_unstable();
    found.dedup();
    let mut expected = vec![ann.id, bob.id];
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(store.users_by_usernames(&[]).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_counted_once_with_its_row() {
    let store = memory().await;
    let cup = event("Cup", EventState::Started, 0);
    store.create_event(&cup).await.unwrap();
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    for user in [ann, bob] {
        store.create_signup(&signup(cup.id, user, 1), None).await.unwrap();
    }
    let game = GameRow {
        id: Uuid::new_v4(),
        status: GameStatus::Completed,
        game_type: "event".to_owned(),
        event_id: Some(cup.id),
        players: vec![ann, bob],
        created_at: at(10),
        ended_at: Some(at(70)),
        journal_seq: 3,
        state: Bytes::from_static(b"state"),
        share_token: None,
    };
    let result =
        ResultRow { game_id: game.id, event_id: cup.id, winner: ann, loser: bob, starter: Some(bob), at: at(70) };
    let ended = EndedGames { results: std::slice::from_ref(&result), ..EndedGames::default() };
    for _ in 0..3 {
        store.upsert_games(std::slice::from_ref(&game), ended).await.unwrap();
    }
    let (won, lost) = (stored(&store, cup.id, ann).await, stored(&store, cup.id, bob).await);
    assert_eq!((won.level, won.wins, won.losses, won.starts, won.reached_at), (2, 1, 0, 0, at(70)));
    assert_eq!((lost.level, lost.wins, lost.losses, lost.starts, lost.reached_at), (1, 0, 1, 1, at(70)));
    assert_eq!(store.finished_games(&[game.id, Uuid::new_v4()]).await.unwrap(), [game.id]);
    let page = store.games_by_event_and_user(cup.id, bob, &[GameStatus::Completed], 0, 10).await.unwrap();
    assert_eq!((page.games, page.total), (vec![game], 1));
    let others = store.games_by_event_and_user(Uuid::new_v4(), bob, &[GameStatus::Completed], 0, 10).await.unwrap();
    assert_eq!(others.total, 0);

    let correction = CorrectionRow {
        id: Uuid::new_v4(),
        event_id: cup.id,
        user_id: bob,
        level: 2,
        wins: 0,
        losses: -1,
        at: at(80),
        actor: "token:test".to_owned(),
        kind: Some(CorrectionKind::Standing),
        before: Some(CountsRow { level: 1, wins: 0, losses: 1 }),
        after: Some(CountsRow { level: 3, wins: 0, losses: 0 }),
        reason: None,
    };
    for _ in 0..2 {
        store.correct_standing(&correction, None).await.unwrap();
    }
    let lost = stored(&store, cup.id, bob).await;
    assert_eq!((lost.level, lost.losses, lost.reached_at), (3, 0, at(80)));
    let removal = CorrectionRow {
        id: Uuid::new_v4(),
        level: 0,
        losses: 0,
        at: at(75),
        kind: Some(CorrectionKind::Removal),
        reason: Some("Cheated".to_owned()),
        ..correction.clone()
    };
    for _ in 0..2 {
        store.correct_standing(&removal, None).await.unwrap();
    }
    let removed = stored(&store, cup.id, bob).await;
    assert_eq!((removed.removed_at, removed.level, removed.reached_at), (Some(at(75)), 3, at(80)));
    assert_eq!(store.event(cup.id).await.unwrap().unwrap().signup_count, 1);
    assert_eq!(store.corrections_of_event(cup.id).await.unwrap(), [removal, correction.clone()]);
    assert_eq!(store.corrections_of_event(Uuid::new_v4()).await.unwrap(), []);
    let nobody = CorrectionRow { id: Uuid::new_v4(), user_id: Uuid::new_v4(), ..correction };
    assert_eq!(store.correct_standing(&nobody, None).await.unwrap_err(), StoreError::NotFound("sign-up"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_in_is_noted_and_taken_back_with_one_receipt() {
    let store = memory().await;
    let cup = event("Cup", EventState::Published, 0);
    store.create_event(&cup).await.unwrap();
    let ann = Uuid::new_v4();
    store.create_signup(&signup(cup.id, ann, 1), None).await.unwrap();
    store.set_checked_in(cup.id, ann, Some(at(5)), None).await.unwrap();
    assert_eq!(stored(&store, cup.id, ann).await.checked_in_at, Some(at(5)));
    let counts = Some(CountsRow { level: 1, wins: 0, losses: 0 });
    let receipt = CorrectionRow {
        id: Uuid::new_v4(),
        event_id: cup.id,
        user_id: ann,
        level: 0,
        wins: 0,
        losses: 0,
        at: at(6),
        actor: "token:test".to_owned(),
        kind: Some(CorrectionKind::CheckInUndone),
        before: counts,
        after: counts,
        reason: None,
    };
    for _ in 0..2 {
        store.set_checked_in(cup.id, ann, None, Some(&receipt)).await.unwrap();
    }
    assert_eq!(stored(&store, cup.id, ann).await.checked_in_at, None);
    assert_eq!(store.corrections_of_event(cup.id).await.unwrap(), [receipt]);
    let nobody = store.set_checked_in(cup.id, Uuid::new_v4(), Some(at(5)), None).await;
    assert_eq!(nobody.unwrap_err(), StoreError::NotFound("sign-up"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_is_stored_and_read_back() {
    let store = memory().await;
    let cup = Uuid::new_v4();
    assert_eq!(store.saved_queue(cup).await.unwrap(), []);
    let places = [None, Some(Uuid::new_v4())].map(|last_opponent| QueuePlace {
        user_id: Uuid::new_v4(),
        since: at(1),
        last_opponent,
    });
    store.save_queue(cup, &places).await.unwrap();
    assert_eq!(store.saved_queue(cup).await.unwrap(), places);
    store.save_queue(cup, &[]).await.unwrap();
    assert_eq!(store.saved_queue(cup).await.unwrap(), []);
}

#[tokio::test]
async fn the_last_heartbeat_stores_the_clocks() {
    let store = memory().await;
    assert_eq!(store.stored_clocks().await.unwrap(), None);
    store.heartbeat().await.unwrap();
    let before = store.stored_clocks().await.unwrap().unwrap();
    assert_eq!((before.steady, before.play), (before.wall, before.wall), "as it was stored before there were three");
    let clocks = StoredClocks { wall: 3, steady: 2, play: 1 };
    store.heartbeat_with(&clocks).await.unwrap();
    assert_eq!(store.stored_clocks().await.unwrap().as_ref(), Some(&clocks));
    store.heartbeat().await.unwrap();
    assert_eq!(store.stored_clocks().await.unwrap(), Some(clocks), "a mere proof leaves them");
}

fn series(template: EventRow) -> SeriesRow {
    SeriesRow {
        id: Uuid::new_v4(),
        name: "League".to_owned(),
        description: String::new(),
        template,
        duration_minutes: 60,
        first_start: "2027-01-01T19:00".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
        rule: "FREQ=DAILY".to_owned(),
        points: vec![3, 2, 1],
        days_ahead: 7,
        ended_at: None,
        created_at: at(0),
        updated_at: at(0),
        version: 1,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_date_of_a_series_has_one_event_whoever_makes_it() {
    let store = memory().await;
    let league = series(event("Template", EventState::Drafted, 0));
    store.create_series(&league).await.unwrap();
    assert_eq!(store.series(league.id).await.unwrap(), Some(league.clone()));
    let day = |day| chrono::NaiveDate::from_ymd_opt(2027, 1, day).unwrap();
    let made = EventRow { series_id: Some(league.id), ..event("First", EventState::Published, 0) };
    let now = (league.id, league.version);
    store.create_occurrence(now, day(2), &made).await.unwrap();
    // The same try again, as after a sync that failed; and another one.
    store.create_occurrence(now, day(2), &made).await.unwrap();
    let other = event("Other", EventState::Published, 0);
    let refused = store.create_occurrence(now, day(2), &other).await;
    assert!(matches!(refused, Err(StoreError::Taken(_))), "{refused:?}");
    assert_eq!(store.event(other.id).await.unwrap(), None);
    assert!(store.occurrence(league.id, day(2)).await.unwrap().is_some());
    assert_eq!(store.occurrence(league.id, day(1)).await.unwrap(), None);

    // Several at once: one is made.
    let mut tries = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (store, row) = (store.clone(), event("Race", EventState::Published, 0));
        tries.spawn(async move { store.create_occurrence(now, day(3), &row).await.is_ok() });
    }
    assert_eq!(tries.join_all().await.into_iter().filter(|is_made| *is_made).count(), 1);

    let changed = SeriesRow { points: vec![1], version: 2, updated_at: at(1), ..league.clone() };
    store.update_series(&changed).await.unwrap();
    store.update_series(&changed).await.unwrap();
    let stale = SeriesRow { updated_at: at(2), ..changed.clone() };
    assert!(matches!(store.update_series(&stale).await, Err(StoreError::Changed(_))));
    // Who has not seen the change makes nothing.
    let refused = store.create_occurrence(now, day(4), &other).await;
    assert!(matches!(refused, Err(StoreError::Changed(_))), "{refused:?}");
    let next = (league.id, 2);
    store.create_occurrence(next, day(4), &other).await.unwrap();
    let listed = store.events_of_series(league.id, 2).await.unwrap();
    assert_eq!((listed[0].id, listed[1].title.as_str()), (other.id, "Race"), "the latest dates first");
    assert_eq!(store.events_of_series(Uuid::new_v4(), 9).await.unwrap(), []);

    assert!(matches!(store.delete_series(league.id).await, Err(StoreError::Changed(_))));
    let ended = SeriesRow { ended_at: Some(at(9)), version: 3, updated_at: at(9), ..changed };
    store.update_series(&ended).await.unwrap();
    let refused = store.create_occurrence((league.id, 3), day(5), &event("Late", EventState::Published, 0)).await;
    assert!(matches!(refused, Err(StoreError::Changed(_))), "{refused:?}");
    assert_eq!(store.series_page(true, 0, 9).await.unwrap(), (vec![], 0));
    assert_eq!(store.series_page(false, 0, 9).await.unwrap(), (vec![ended], 1));
    let unused = series(event("Template", EventState::Drafted, 0));
    store.create_series(&unused).await.unwrap();
    store.delete_series(unused.id).await.unwrap();
    assert_eq!(store.series(unused.id).await.unwrap(), None);
}
