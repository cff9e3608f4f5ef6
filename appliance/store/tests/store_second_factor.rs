//! Second factors and passkeys.

mod common;

use common::{account, at, current, memory};
use morpion_store::{NewUser, PasskeyRow, SecondFactor, Store, StoreError, User};
use uuid::Uuid;

fn passkey(user: &User) -> PasskeyRow {
    PasskeyRow {
        id: Uuid::new_v4(),
        user_id: user.id,
        name: "Phone".to_owned(),
        credential: "{}".to_owned(),
        counter: 0,
        created_at: at(0),
        last_used_at: None,
    }
}

fn codes(from: &str) -> Vec<String> {
    (0..10).map(|number| format!("{from}{number}")).collect()
}

async fn has(store: &Store, user: &User) -> bool {
    store.user(user.id).await.unwrap().unwrap().second_factor
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_factor_brings_recovery_codes_and_the_last_takes_them_along() {
    let store = memory().await;
    let ada = store.create_user(account("ada")).await.unwrap();
    assert!(store.set_totp(current(&store, ada.id).await, "secret", 5, &codes("a")).await.unwrap());
    assert!(has(&store, &ada).await);
    let phone = passkey(&ada);
    assert!(
        !store.insert_passkey(current(&store, ada.id).await, "phone", &phone, &codes("b"), 2).await.unwrap(),
        "not the first"
    );
    assert_eq!(store.use_recovery_code(ada.id, "b0").await.unwrap(), None);
    assert_eq!(store.use_recovery_code(ada.id, "a0").await.unwrap(), Some(9));
    assert_eq!(store.use_recovery_code(ada.id, "a0").await.unwrap(), None, "once");
    store.remove_totp(current(&store, ada.id).await).await.unwrap();
    assert!(has(&store, &ada).await, "the passkey is left");
    assert_eq!(store.second_factor(ada.id).await.unwrap().recovery_codes, 9);
    let eve = store.create_user(account("eve")).await.unwrap();
    store.remove_passkey(eve.credentials(), phone.id).await.unwrap();
    assert_eq!(
        store.second_factor(ada.id).await.unwrap().passkeys,
        std::slice::from_ref(&phone),
        "not somebody else's"
    );
    store.remove_passkey(current(&store, ada.id).await, phone.id).await.unwrap();
    assert!(!has(&store, &ada).await);
    assert_eq!(store.second_factor(ada.id).await.unwrap(), SecondFactor::default());
    assert!(
        !store.set_recovery_codes(current(&store, ada.id).await, &codes("c")).await.unwrap(),
        "codes alone are none"
    );
    assert!(
        store.insert_passkey(current(&store, ada.id).await, "phone", &phone, &codes("d"), 2).await.unwrap(),
        "the first again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_is_used_once_by_whoever_comes_first() {
    let store = memory().await;
    let ada = store.create_user(account("ada")).await.unwrap();
    store.set_totp(current(&store, ada.id).await, "secret", 5, &codes("a")).await.unwrap();
    assert!(!store.use_totp_step(ada.id, 5).await.unwrap());
    let step = || store.use_totp_step(ada.id, 6);
    let (first, second, third) = tokio::join!(step(), step(), step());
    let won = [first, second, third].map(Result::unwrap).into_iter().filter(|won| *won);
    assert_eq!(won.count(), 1);
    let code = || store.use_recovery_code(ada.id, "a1");
    let (first, second, third) = tokio::join!(code(), code(), code());
    assert_eq!([first, second, third].map(Result::unwrap).into_iter().flatten().collect::<Vec<_>>(), [9]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_has_one_owner_and_its_counter_grows() {
    let store = memory().await;
    let ada = store.create_user(account("ada")).await.unwrap();
    let eve = store.create_user(account("eve")).await.unwrap();
    store.insert_passkey(current(&store, ada.id).await, "phone", &passkey(&ada), &codes("a"), 2).await.unwrap();
    let taken =
        store.insert_passkey(current(&store, eve.id).await, "phone", &passkey(&eve), &codes("e"), 2).await.unwrap_err();
    assert!(matches!(taken, StoreError::Taken(_)), "{taken:?}");
    assert!(!has(&store, &eve).await);
    store.insert_passkey(current(&store, ada.id).await, "key", &passkey(&ada), &codes("a"), 2).await.unwrap();
    let full =
        store.insert_passkey(current(&store, ada.id).await, "third", &passkey(&ada), &codes("a"), 2).await.unwrap_err();
    assert!(matches!(full, StoreError::LimitReached), "{full:?}");
    let uses = async |counter: i64| store.use_passkey("phone", "{}", counter, at(1)).await.unwrap();
    assert!(uses(0).await && uses(0).await && uses(7).await, "one that does not count, then does");
    assert!(!uses(7).await && !uses(6).await && !uses(0).await && uses(8).await);
    assert!(!store.use_passkey("nobody", "{}", 1, at(1)).await.unwrap());
    let guest = store.create_user(NewUser { is_temp: true, ..account("guest") }).await.unwrap();
    let refused = store.set_totp(current(&store, guest.id).await, "secret", 5, &codes("g")).await.unwrap_err();
    assert!(matches!(refused, StoreError::NotFound(_)), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_a_removed_one_or_a_deleted_account() {
    let store = memory().await;
    for deletes in [false, true] {
        let ada = store.create_user(account("ada")).await.unwrap();
        store.set_admin(ada.id, true).await.unwrap();
        store.set_totp(current(&store, ada.id).await, "secret", 5, &codes("a")).await.unwrap();
        store.insert_passkey(current(&store, ada.id).await, "phone", &passkey(&ada), &codes("b"), 2).await.unwrap();
        assert!(store.has_admin_with_second_factor().await.unwrap());
        if deletes {
            let other = store.create_user(account("other")).await.unwrap();
            store.set_admin(other.id, true).await.unwrap();
            store.delete_user(ada.id, at(1)).await.unwrap();
        } else {
            store.remove_second_factor(current(&store, ada.id).await).await.unwrap();
        }
        assert!(!has(&store, &ada).await && !store.has_admin_with_second_factor().await.unwrap());
        assert_eq!(store.second_factor(ada.id).await.unwrap(), SecondFactor::default());
        assert_eq!(store.passkey("phone").await.unwrap(), None);
        if !deletes {
            let other = store.create_user(account("another")).await.unwrap();
            store.set_admin(other.id, true).await.unwrap();
            store.delete_user(ada.id, at(1)).await.unwrap();
        }
    }
}
