use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use morpion_store::NewUser;
use parking_lot::Mutex;
use tempfile::TempDir;
use tracing::{Subscriber, field::Visit};
use tracing_subscriber::{Layer, layer::SubscriberExt};
use uuid::Uuid;

use super::*;
use crate::{account::token, caller::Caller, clock::Clock, config::Config, metrics::Metrics, people::People};

/// The queries that the database was asked, without their values.
#[derive(Clone, Default)]
struct Queries(Arc<Mutex<Vec<String>>>);

impl<S: Subscriber> Layer<S> for Queries {
    fn on_event(&self, event: &tracing::Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        event.record(&mut self.clone());
    }
}

impl Visit for Queries {
    fn record_debug(&mut self, _: &tracing::field::Field, _: &dyn std::fmt::Debug) {}

    fn record_str(&mut self, field: &tracing::field::Field, value: &str) {
        if field.name() == "query" {
            self.0.lock().push(value.to_owned());
        }
    }
}

async fn add(accounts: &Accounts, email: &str, email_verified: bool) -> Uuid {
    let named = NewUser::named(email.split('@').next().unwrap(), accounts.clock.steady());
    let new = NewUser { email: Some(email.to_owned()), email_verified, ..named };
    accounts.store.create_user(new).await.unwrap().id
}

/// On one thread, so that what is spawned runs only after the answer.
#[tokio::test]
async fn before_the_answer_the_same_is_read_for_known_and_unknown_emails() {
    let folder = TempDir::new().unwrap();
    let mut config = Config { data_dir: folder.path().to_owned(), ..Config::default() };
    config.database.url = "mem://".to_owned();
    let store =
        morpion_store::Store::open(&config.database_url(), morpion_store::OpenOptions::default()).await.unwrap();
    let people = People::new(store.clone(), Clock::default());
    let accounts = Accounts::new(store, people, Arc::new(config), Clock::default(), Metrics::default()).await.unwrap();
    let owner = add(&accounts, "owner@example.org", true).await;
    add(&accounts, "claimant@example.org", false).await;
    let browser = |device: &str| Browser { device: device.to_owned(), user_agent: String::new() };
    let own = accounts.store.user(owner).await.unwrap().unwrap().credentials();
    accounts.store.remember_device(own, &token::hash("own"), accounts.clock.steady()).await.unwrap();
    let queries = Queries::default();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(queries.clone()));
    let call =
        Call { caller: Caller::Visitor, address: IpAddr::V4(Ipv4Addr::LOCALHOST).into(), request_id: String::new() };
    let mut asked = Vec::new();
    for (name, device) in [("owner", "strange"), ("owner", "own"), ("claimant", "strange"), ("nobody", "strange")] {
        queries.0.lock().clear();
        accounts.request_recovery(&call, &browser(device), &format!("{name}@example.org")).await.unwrap();
        asked.push(std::mem::take(&mut *queries.0.lock()));
        // The letter, if there is one, is made now.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert!(!asked[0].is_empty());
    assert!(asked.iter().all(|queries| *queries == asked[0]), "{asked:#?}");
}
