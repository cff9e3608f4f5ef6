//! Payments: billing accounts and the ledger, written atomically.

mod common;

use common::{account, at, memory, on_disk, raw_query};
use morpion_store::{
    BillingAccount, DatabaseUrl, GrantRow, LedgerEntry, OpenOptions, Pro, ProSource, PurchaseRow, Store, StoreError,
    SubscriptionRow,
};
use uuid::Uuid;

fn entry(fact: &str) -> LedgerEntry {
    LedgerEntry { fact: fact.to_owned(), kind: "paid".to_owned(), detail: format!("about {fact}"), at: at(5) }
}

fn whole(user_id: Uuid) -> BillingAccount {
    BillingAccount {
        live: true,
        email: None,
        customer: Some("cus_1".to_owned()),
        subscription: Some(SubscriptionRow {
            id: "sub_1".to_owned(),
            item: "si_1".to_owned(),
            status: "active".to_owned(),
            plan_id: Some(3),
            price_id: "price_3".to_owned(),
            name: "Yearly".to_owned(),
            price: 3_500,
            currency: "usd".to_owned(),
            paid_until: Some(at(1_000)),
            cancels: false,
            ended_at: None,
            processing: None,
        }),
        purchase: Some(PurchaseRow {
            key: "subscribe-1".to_owned(),
            customer_key: "customer-1".to_owned(),
            email: None,
            plan_id: 3,
            price_id: "price_3".to_owned(),
            started_at: at(1),
            subscription: Some("sub_1".to_owned()),
        }),
        grant: Some(GrantRow { until: None, reason: "A friend.".to_owned(), actor: "token:x".to_owned(), at: at(2) }),
        ..BillingAccount::new(user_id)
    }
}

fn pro() -> Option<Pro> {
    Some(Pro { source: ProSource::Subscription, until: Some(at(1_000)), plan_id: Some(3) })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_billing_account_is_read_back_with_its_ledger_and_marks() {
    let (folder, store) = on_disk().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    assert_eq!(store.billing_account(ann.id).await.unwrap(), None);
    let saved = whole(ann.id);
    let new = store.save_billing(&saved, pro(), &[entry("a"), entry("b")], Some("evt_1"), at(9)).await.unwrap();
    assert_eq!(new, ["a", "b"]);
    store.close().await.unwrap();
    let url = DatabaseUrl::Folder(folder.path().join("db"));
    let store = Store::open(&url, OpenOptions::default()).await.unwrap();
    assert_eq!(store.billing_account(ann.id).await.unwrap(), Some(BillingAccount { version: 1, ..saved }));
    assert_eq!(store.user_of_customer("cus_1").await.unwrap(), Some(ann.id));
    assert_eq!(store.user_of_customer("cus_2").await.unwrap(), None);
    assert!(store.knows_webhook("evt_1").await.unwrap() && !store.knows_webhook("evt_2").await.unwrap());
    assert_eq!(store.user(ann.id).await.unwrap().unwrap().pro, pro());
    let (events, total) = store.billing_events(0, 10).await.unwrap();
    assert_eq!((events.len(), total), (2, 2));
    store.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_based_on_an_older_version_changes_nothing() {
    let store = memory().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    let first = whole(ann.id);
    store.save_billing(&first, None, &[], None, at(0)).await.unwrap();
    let late = store.save_billing(&first, pro(), &[entry("late")], Some("evt_9"), at(0)).await;
    assert_eq!(late.unwrap_err(), StoreError::Changed("subscription"));
    assert_eq!(store.user(ann.id).await.unwrap().unwrap().pro, None);
    assert_eq!(store.billing_events(0, 10).await.unwrap().1, 0);
    assert!(!store.knows_webhook("evt_9").await.unwrap());
    let next = store.billing_account(ann.id).await.unwrap().unwrap();
    store.save_billing(&next, pro(), &[], None, at(0)).await.unwrap();
    store.save_billing(&BillingAccount { version: 2, ..next }, None, &[], None, at(0)).await.unwrap();
    assert_eq!(store.user(ann.id).await.unwrap().unwrap().pro, None, "it is taken as it is given");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ledger_entry_is_written_once_and_read_by_user() {
    let store = memory().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    let bob = store.create_user(account("bob")).await.unwrap();
    let mut of_ann = BillingAccount::new(ann.id);
    let mut new = vec![];
    for facts in [&["one"][..], &["one", "two"], &["two", "one", "three"]] {
        let entries: Vec<_> = facts.iter().copied().map(entry).collect();
        new.push(store.save_billing(&of_ann, None, &entries, None, at(0)).await.unwrap());
        of_ann.version += 1;
    }
    assert_eq!(new, [vec!["one"], vec!["two"], vec!["three"]]);
    store.save_billing(&BillingAccount::new(bob.id), None, &[entry("bob")], None, at(0)).await.unwrap();
    let details =
        |events: &[morpion_store::BillingEvent]| events.iter().map(|event| event.detail.clone()).collect::<Vec<_>>();
    let (all, total) = store.billing_events(0, 2).await.unwrap();
    assert_eq!((details(&all), total), (vec!["about bob".to_owned(), "about three".to_owned()], 4));
    let (hers, total) = store.billing_events_of(ann.id, 1, 1).await.unwrap();
    assert_eq!((details(&hers), total), (vec!["about two".to_owned()], 3));
    assert_eq!(hers[0].at, at(5));
    let (page, total) = store.billing_page(0, 1).await.unwrap();
    assert_eq!((page.len(), total), (1, 2));
    let first = store.billing_accounts(None, 1).await.unwrap();
    let second = store.billing_accounts(Some(first[0].user_id), 10).await.unwrap();
    assert_eq!(second.len(), 1);
    assert_ne!(first[0].user_id, second[0].user_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_gets_no_plan_and_loses_its_billing_data() {
    let store = memory().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    store.save_billing(&whole(ann.id), pro(), &[entry("a")], None, at(0)).await.unwrap();
    store.delete_user(ann.id, at(10)).await.unwrap();
    let left = store.billing_account(ann.id).await.unwrap().unwrap();
    store.save_billing(&left, pro(), &[], None, at(11)).await.unwrap();
    assert_eq!(store.user(ann.id).await.unwrap().unwrap().pro, None);
    store.delete_billing(ann.id).await.unwrap();
    store.delete_billing(ann.id).await.unwrap();
    assert_eq!(store.billing_account(ann.id).await.unwrap(), None);
    assert_eq!(store.user_of_customer("cus_1").await.unwrap(), Some(ann.id), "a payment may be disputed later");
    assert_eq!(store.billing_events(0, 10).await.unwrap().1, 1, "the ledger stays");
    for new in [1, 0] {
        let entries = [entry("disputed:du_1")];
        let told = store.save_billing_events(ann.id, &entries, Some("evt_9"), at(9)).await.unwrap();
        assert_eq!(told.len(), new);
    }
    assert!(store.knows_webhook("evt_9").await.unwrap());
    assert_eq!(store.billing_events(0, 10).await.unwrap().1, 2);
    assert_eq!(store.billing_account(ann.id).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn webhook_marks_are_deleted_after_their_time() {
    let store = memory().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    for (version, seconds) in [(0, 0), (1, 100)] {
        let account = BillingAccount { version, ..BillingAccount::new(ann.id) };
        store.save_billing(&account, None, &[], Some(&format!("evt_{seconds}")), at(seconds)).await.unwrap();
    }
    store.purge_webhooks(at(50), 10).await.unwrap();
    assert!(!store.knows_webhook("evt_0").await.unwrap() && store.knows_webhook("evt_100").await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn data_from_before_payments_gets_the_billing_tables() {
    let (folder, store) = on_disk().await;
    let ann = store.create_user(account("ann")).await.unwrap();
    store.close().await.unwrap();
    let db = folder.path().join("db");
    let tables = "REMOVE TABLE billing; REMOVE TABLE customer; REMOVE TABLE billing_event; REMOVE TABLE billing_fact; \
                  REMOVE TABLE webhook; DELETE migration WHERE number = 6;";
    raw_query(&db, tables).await;
    let store = Store::open(&DatabaseUrl::Folder(db), OpenOptions::default()).await.unwrap();
    assert_eq!(store.user(ann.id).await.unwrap(), Some(ann.clone()));
    store.save_billing(&whole(ann.id), pro(), &[entry("a")], Some("evt_1"), at(0)).await.unwrap();
    assert_eq!(store.billing_events_of(ann.id, 0, 10).await.unwrap().1, 1);
    store.close().await.unwrap();
}
