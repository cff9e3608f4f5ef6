use std::{
    net::{IpAddr, Ipv4Addr},
    time::Instant,
};

use morpion_rules::UserId;
use morpion_store::{NewSession, NewUser};
use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::{
    caller::{Caller, Identity},
    config::Config,
    connections::handle::{ConnectionHandle, close},
};

async fn app() -> (Arc<App>, TempDir) {
    let folder = TempDir::new().unwrap();
    let mut config = Config { data_dir: folder.path().to_owned(), ..Config::default() };
    config.database.url = "mem://".to_owned();
    config.realtime.max_connections = 20_000;
    (App::build(config).await.unwrap(), folder)
}

/// A connected socket of a session, which need not exist.
fn socket(app: &App, session_id: Uuid) -> Arc<ConnectionHandle> {
    let identity = Identity {
        user_id: UserId(Uuid::new_v4()),
        username: String::new(),
        is_admin: false,
        is_temp: false,
        session_id,
        needs_second_factor: false,
        credential_version: None,
        scopes: None,
    };
    let caller = Caller::User(Arc::new(identity));
    let connection = Arc::new(ConnectionHandle::new(caller, Some(IpAddr::from(Ipv4Addr::LOCALHOST).into())));
    app.hub.admit(&connection).unwrap();
    connection
}

async fn session(app: &App, life: Duration) -> Uuid {
    let now = app.clock.steady();
    let user = NewUser::named(&Uuid::new_v4().simple().to_string()[..20], now);
    let user = app.store.create_user(user).await.unwrap();
    let new = NewSession {
        hash: Uuid::new_v4().to_string(),
        credentials: user.credentials(),
        created_at: now,
        expires_at: now + life,
        ends_at: now + life,
        user_agent: String::new(),
        address: String::new(),
        device: String::new(),
    };
    app.store.insert_session(new).await.unwrap().0.sid
}

const HOUR: Duration = Duration::from_secs(3_600);

#[tokio::test(flavor = "multi_thread")]
async fn twenty_thousand_overdue_sockets_are_looked_at_within_seconds() {
    let (app, _folder) = app().await;
    let mut good = Vec::new();
    for _ in 0..200 {
        good.push(socket(&app, session(&app, HOUR).await));
    }
    let expired = socket(&app, session(&app, Duration::ZERO).await);
    let ended: Vec<_> = (0..19_799).map(|_| socket(&app, Uuid::new_v4())).collect();
    let start = Instant::now();
    app.close_overdue().await.unwrap();
    let taken = start.elapsed();
    assert!(ended.iter().chain([&expired]).all(|connection| connection.end_code().is_some()));
    assert!(good.iter().all(|connection| connection.close_code().is_none()));
    let (steady, wall) = (clock::millis(app.clock.steady()), clock::millis(app.clock.wall()));
    assert!(app.hub.overdue(steady, wall).is_empty(), "the next look asks the store about nobody");
    assert!(taken < Duration::from_secs(4), "{taken:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missed_announcement_closes_the_socket_with_the_next_look() {
    let (app, _folder) = app().await;
    let (ends, stays) = (session(&app, HOUR).await, session(&app, HOUR).await);
    let (ending, staying) = (socket(&app, ends), socket(&app, stays));
    app.close_overdue().await.unwrap();
    let mut announced = app.accounts.closures();
    assert!(app.store.revoke_session(ends).await.unwrap());
    app.accounts.sessions.notify_ended(ends);
    // More than are kept for a slow listener: the one above is lost.
    let others: Vec<Uuid> = (0..2_000).map(|_| Uuid::new_v4()).collect();
    let last = socket(&app, others[1_999]);
    others.iter().for_each(|id| app.accounts.sessions.notify_ended(*id));
    assert!(app.close_announced(&mut announced).await);
    assert!(last.end_code().is_some(), "what was not missed is closed at once");
    assert!(ending.end_code().is_none());
    app.close_overdue().await.unwrap();
    assert!(ending.end_code().is_some() && staying.close_code().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_read_before_a_missed_announcement_does_not_count() {
    let (app, _folder) = app().await;
    let sid = session(&app, HOUR).await;
    let connection = socket(&app, sid);
    let check = connection.begin_check();
    let end = app.accounts.valid_until([&connection.caller]).await.unwrap()[&sid];
    app.store.revoke_session(sid).await.unwrap();
    app.hub.check_all();
    connection.set_valid_until(check, clock::millis(end));
    app.close_overdue().await.unwrap();
    assert!(connection.end_code().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_announcements_nothing_is_left_to_do() {
    let (app, _folder) = app().await;
    let (closures, mut announced) = tokio::sync::broadcast::channel(2);
    let id = Uuid::new_v4();
    let (first, second) = (socket(&app, id), socket(&app, id));
    for reason in [ClosureReason::Ended { suspension: None }, ClosureReason::RightsChanged] {
        closures.send(SocketClosure { session_id: id, reason }).unwrap();
    }
    drop(closures);
    assert!(app.close_announced(&mut announced).await);
    for connection in [first, second] {
        assert_eq!(connection.end_code(), Some(close::SIGNED_OUT), "both tabs");
    }
    assert!(!app.close_announced(&mut announced).await);
}
