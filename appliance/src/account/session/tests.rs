use morpion_store::{DatabaseUrl, NewUser, OpenOptions};

use super::*;
use crate::config::RequireSecondFactor;

const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

async fn fresh() -> (Sessions, User) {
    let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
    let user = store.create_user(NewUser::named("ada", Utc::now())).await.unwrap();
    let required = RequiredFactor::new(RequireSecondFactor::Nobody, &store).await.unwrap();
    (Sessions::new(store, ServerSecret::random(), Arc::new(required)), user)
}

async fn is_signed_in(sessions: &Sessions, token: &str, now: DateTime<Utc>) -> bool {
    sessions.find(token, now).await.unwrap().is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_after_30_days_unused_and_after_90_in_any_case() {
    let (sessions, user) = fresh().await;
    let start = Utc::now();
    let day = |days| start + TimeDelta::days(days);
    let token = sessions.begin(&user, HERE, "curl/8", start).await.unwrap().token;
    for days in [0, 29, 58, 87, 89] {
        assert!(is_signed_in(&sessions, &token, day(days)).await, "day {days}");
    }
    assert!(!is_signed_in(&sessions, &token, day(90)).await);
    let unused = sessions.begin(&user, HERE, "curl/8", start).await.unwrap().token;
    assert!(!is_signed_in(&sessions, &unused, day(30)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_to_a_refresh_signs_nobody_out() {
    let (sessions, user) = fresh().await;
    let now = Utc::now();
    let old = sessions.begin(&user, HERE, "", now).await.unwrap().token;
    let lost = sessions.rotate(&old, now).await.unwrap().unwrap().token;
    let much_later = now + TimeDelta::days(10);
    assert!(is_signed_in(&sessions, &old, much_later).await, "the new one was never used");
    let kept = sessions.rotate(&old, much_later).await.unwrap().unwrap().token;
    assert_eq!(kept, lost, "whichever answer arrives, it is the same token");
    assert!(is_signed_in(&sessions, &kept, much_later).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_tab_has_30_seconds_with_the_old_token() {
    let (sessions, user) = fresh().await;
    let now = Utc::now();
    let old = sessions.begin(&user, HERE, "", now).await.unwrap().token;
    assert!(is_signed_in(&sessions, &old, now).await);
    let new = sessions.rotate(&old, now).await.unwrap().unwrap();
    assert!(is_signed_in(&sessions, &new.token, now).await);
    let at = |seconds| now + TimeDelta::seconds(seconds);
    assert!(is_signed_in(&sessions, &old, at(29)).await);
    assert!(sessions.rotate(&old, at(29)).await.unwrap().is_none(), "the first tab has the new token already");
    assert!(!is_signed_in(&sessions, &old, at(30)).await);
    assert!(is_signed_in(&sessions, &new.token, at(31)).await);
    assert_eq!(sessions.rotate(&old, at(31)).await.unwrap_err(), CommonError::NotSignedIn.into());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_is_at_once_and_announced() {
    let (sessions, user) = fresh().await;
    let now = Utc::now();
    let mut closures = sessions.closures();
    let first = sessions.begin(&user, HERE, "", now).await.unwrap();
    let second = sessions.begin(&user, HERE, "", now).await.unwrap();
    let identity = sessions.find(&first.token, now).await.unwrap().unwrap();
    let ends = async || sessions.store.session_ends(&[first.session_id, second.session_id], now).await.unwrap();
    assert_eq!(ends().await[&first.session_id], now + IDLE_LIFE);
    assert!(!sessions.end(UserId(Uuid::new_v4()), first.session_id, now).await.unwrap(), "not somebody else's");
    assert!(sessions.end(identity.user_id, first.session_id, now).await.unwrap());
    assert!(!is_signed_in(&sessions, &first.token, now).await);
    assert_eq!(ends().await.into_keys().collect::<Vec<_>>(), [second.session_id]);
    assert!(is_signed_in(&sessions, &second.token, now).await);
    assert_eq!(sessions.end_all_but(identity.user_id, None).await.unwrap(), 1);
    assert!(!is_signed_in(&sessions, &second.token, now).await);
    assert_eq!(closures.recv().await.unwrap().session_id, first.session_id);
    assert_eq!(closures.recv().await.unwrap().session_id, second.session_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_counts_from_the_next_request_on() {
    let (sessions, user) = fresh().await;
    let now = Utc::now();
    let fresh = sessions.begin(&user, HERE, "", now).await.unwrap();
    let mut closures = sessions.closures();
    assert!(!sessions.find(&fresh.token, now).await.unwrap().unwrap().is_admin);
    sessions.store.set_admin(user.id, true).await.unwrap();
    sessions.role_changed(UserId(user.id), now).await.unwrap();
    assert!(sessions.find(&fresh.token, now).await.unwrap().unwrap().is_admin);
    assert_eq!(closures.recv().await.unwrap().session_id, fresh.session_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cache_stays_bounded() {
    let (sessions, user) = fresh().await;
    let now = Utc::now();
    let issued = sessions.begin(&user, HERE, "", now).await.unwrap();
    sessions.find(&issued.token, now).await.unwrap();
    let mut cache = sessions.cache.lock();
    let cached = cache.entries.values().next().unwrap().clone();
    for number in 0..3 * MAX_CACHED {
        cache.make_room();
        let mut other = cached.clone();
        other.session.last_used_at = now + TimeDelta::seconds(number as i64);
        cache.entries.insert(number.to_string(), other);
    }
    assert!(cache.entries.len() <= MAX_CACHED);
    assert!(cache.entries.contains_key(&(3 * MAX_CACHED - 1).to_string()), "the newest are at hand");
}
