//! Every frequent query reads an index or a range of ids, forwards, and no more than it returns.
//!
//! The plans are SurrealDB's own (`EXPLAIN`), so these tests also detect changes of its planner.

use chrono::Utc;
use surrealdb::types::{RecordId, RecordIdKeyRange, Variables, vars};
use uuid::Uuid;

use crate::game::GameStatus;
use crate::game::rows::{
    ACTIVE_GAMES, FIRST_CANCELLED, FIRST_COMPLETED, WAITING_GAMES, game_page_query, player_page_query,
};
use crate::store::row;
use crate::{
    DatabaseUrl, EventFilter, EventState, OpenOptions, Store, admins, audit, billing, bot, code, engine_use, event,
    event_news, hook, identity, moderation, notification, password_link, personal_token, rating, search, second_factor,
    series, session, signup, user,
};

async fn plan(store: &Store, query: &str, variables: Variables) -> String {
    let mut response = store.read(&format!("EXPLAIN {query}"), variables).await.unwrap();
    row::<String>(&mut response, 0).unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn hot_queries_use_their_index() {
    let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
    let id = Uuid::new_v4();
    let variables = vars! {
        user: id, uid: id, pid: id, sid: id, sids: vec![id, Uuid::new_v4()], except: id, key: "k".to_owned(), channel: "page".to_owned(), text: "k".to_owned(), after: "l".to_owned(),
        hid: id, before: Utc::now(), now: Utc::now(), cutoff: Utc::now(), limit: 10, most: 10, offset: 0, from: 1, to: 11,
        usernames: RecordId::new("username", RecordIdKeyRange::from("a".to_owned().."b".to_owned())),
        running: true, skip: 0, dates: series::occurrences_of(id),
        range: signup::signups_range(id, Some(id)),
        accounts: billing::billing_range(Some(id)),
        subscriptions: notification::subscriptions_behind("k"),
        older: RecordId::new("audit", RecordIdKeyRange::from(1_i64..)),
    };
    let seat = game_page_query("second_seat", id, GameStatus::Completed);
    let event = game_page_query("event_id", id, GameStatus::Completed);
    let all = EventFilter { with_private: true, ..EventFilter::default() };
    let events = event::event_page_query(EventState::Published, &all);
    let listed = event::event_page_query(EventState::Published, &EventFilter::default());
    let signups = signup::signups_of_user_query(id);
    let ledger = billing::events_of_user_query(id);
    let player = player_page_query("first_seat", id, id, GameStatus::Completed);
    let receipts = rating::receipts_query("second", id);
    let statement = |text: &'static str| text.to_owned();
    let part = |query: &str, number: usize| query.split(';').nth(number).unwrap().trim().to_owned();
    for (query, access) in [
        (statement(WAITING_GAMES), "index: game_status, access: = 'waiting'"),
        (statement(ACTIVE_GAMES), "index: game_status, access: = 'active'"),
        (statement(FIRST_COMPLETED), "index: game_status, access: = 'completed'"),
        (statement(FIRST_CANCELLED), "index: game_status, access: = 'cancelled'"),
        (part(&seat, 0), "index: game_second, access: ["),
        (part(&seat, 1), "IndexCountScan"),
        (part(&event, 0), "index: game_event, access: ["),
        (part(&event, 1), "IndexCountScan"),
        (part(&player, 0), "index: game_first, access: ["),
        (part(&events, 0), "index: event_state, access: ["),
        (part(&events, 1), "IndexCountScan"),
        (part(&listed, 0), "index: event_public, access: ["),
        (part(&listed, 1), "IndexCountScan"),
        (statement(event::PRIVATE_EVENTS), "index: event_private, access: ["),
        (statement(event::HOSTED_EVENTS), "index: event_private, access: ["),
        (statement(event::OPEN_HOSTED_EVENTS), "index: event_private, access: ["),
        (statement(event::OPEN_EVENTS), "index: event_open, access: = true"),
        (statement(series::SERIES_PAGE), "index: series_listed, access: ["),
        (series::OCCURRENCES.replace("$range", "$dates"), "RecordIdScan"),
        (part(&signups, 0), "index: signup_user, access: ["),
        (part(&signups, 1), "IndexCountScan"),
        (statement(signup::SIGNUPS_OF_EVENT), "RecordIdScan"),
        (statement(signup::SIGNUPS_RENAMED), "index: signup_user, access: ["),
        (statement(second_factor::PASSKEYS_OF), "index: passkey_user, access: = "),
        (statement(second_factor::PASSKEY), "index: passkey_user, access: = "),
        (statement(moderation::REPORTS_BY), "index: report_reporter, access: = "),
        (statement(notification::SUBSCRIPTIONS_OF), "index: push_subscription_user, access: = "),
        (statement(notification::SUBSCRIPTIONS_OF_SESSIONS), "index: push_subscription_session"),
        (statement(notification::OTHERS_OF_SESSION), "index: push_subscription_session, access: = "),
        (notification::SUBSCRIPTIONS_BEHIND.replace("$range", "$subscriptions"), "RecordIdScan"),
        (statement(event_news::NEWS_OF_CHANNEL), "index: event_news_due, access: ["),
        (statement(hook::EVENTS), "index: hook_event_at, access: >"),
        (statement(hook::NEXT_DELIVERY), "index: hook_delivery_due, access: ["),
        (statement(hook::WAITING), "index: hook_delivery_due, access: ["),
        (statement(hook::ENDED_DELIVERIES), "index: hook_delivery_ended, access: >"),
        (statement(notification::OLD_REMINDERS), "index: reminder_at, access: <="),
        (statement(engine_use::ENGINE_USE_PAGE), "index: engine_use_rank, access: ["),
        (statement(session::SESSIONS_OF), "index: session_user, access: = "),
        (statement(session::SESSION_TOKENS), "index: session_sid, access: = "),
        (statement(session::SESSIONS_BY_ID), "index: session_sid"),
        (statement(session::SESSIONS_OF_OTHER_VERSIONS), "index: session_user, access: = "),
        (statement(session::ENDED_SESSIONS), "index: session_expires, access: <="),
        (statement(personal_token::TOKENS_OF), "index: personal_token_user, access: = "),
        (statement(personal_token::TOKENS_BY_ID), "index: personal_token_id"),
        (statement(personal_token::TOKENS_OF_OTHER_VERSIONS), "index: personal_token_user, access: = "),
        (statement(personal_token::EXPIRED_TOKENS), "index: personal_token_expires, access: <="),
        (statement(code::FORGOTTEN_CODES), "index: code_forget, access: <="),
        (statement(code::FORGOTTEN_ALLOWANCES), "index: code_allowance_forget, access: <="),
        (statement(identity::EMAIL_CLAIMS), "index: user_email, access: = "),
        (statement(user::FORMER_NAMES_OVER), "index: former_name_until, access: <="),
        (statement(identity::EMAIL_UNDOS_OVER), "index: email_undo_until, access: <="),
        (statement(password_link::PASSWORD_LINKS_OF), "index: password_link_user, access: = "),
        (statement(password_link::PASSWORD_LINKS_OVER), "index: password_link_until, access: <="),
        (statement(admins::ADMINS), "index: user_admin, access: = true"),
        (statement(bot::BOTS), "index: user_bot, access: >"),
        (statement(user::UNSEEN_GUESTS), "index: user_guest, access: [true] LessThan"),
        (statement(search::DISPLAY_NAMES_FROM), "index: user_display, access: >='k' <'l'"),
        (statement(search::USERNAMES_FROM), "RecordIdScan"),
        (statement(audit::AUDIT_PAGE), "RecordIdScan"),
        (part(&ledger, 0), "index: billing_event_user, access: ["),
        (part(&ledger, 1), "IndexCountScan"),
        (billing::BILLING_AFTER.replace("$range", "$accounts"), "RecordIdScan"),
        (statement(billing::FORGOTTEN_WEBHOOKS), "index: webhook_at, access: <="),
        (statement(rating::RATING_LIST), "index: rating_list, access: ["),
        (statement(rating::NO_LONGER_RANKED), "index: rating_until, access: [true] LessThanEqual"),
        (statement(rating::RECEIPTS_FROM), "index: rated_game_seq, access: >=1 <11"),
        (part(&receipts, 0), "index: rated_game_second, access: ["),
    ] {
        let plan = plan(&store, &query, variables.clone()).await;
        assert!(plan.contains(access), "{query}\n{plan}");
        assert!(!plan.contains("Sort") && !plan.contains("Backward") && !plan.contains("Bitmap"), "{query}\n{plan}");
        assert!(!plan.contains("TableScan"), "{query}\n{plan}");
    }
}
