//! Play by itself, for tests.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use morpion_rules::{
    BoardSize, EventId, Game, GameId, Mark, UserId,
    clock::TimeControl,
    game::{InviteSetup, Player},
};
use morpion_store::{DatabaseUrl, OpenOptions, Store, StoreError};
use uuid::Uuid;

use super::{EventConsequences, EventGameListener, Meta, Play, PlayOptions, PlayTasks};
use crate::{
    caller::{Caller, Identity},
    clock::Clock,
    connections::hub::{Hub, SocketLimits},
    people::People,
};

pub const ADA: UserId = UserId(Uuid::from_u128(1));

#[derive(Debug)]
struct NoEvents;

impl EventGameListener for NoEvents {
    fn game_resumed(&self, _: &Game) {}

    fn is_private(&self, _: EventId) -> bool {
        false
    }

    fn admits<'a>(&'a self, _: EventId, _: &'a Caller) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async { Ok(true) })
    }

    fn game_over(&self, _: &Game) -> EventConsequences {
        EventConsequences::default()
    }
}

pub async fn playing() -> (Play, PlayTasks) {
    let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
    let hub = Hub::new(SocketLimits { total: 10, per_account: 10 });
    let people = People::new(store.clone(), Clock::default());
    Play::start(store, hub, people, PlayOptions::default(), Arc::new(NoEvents)).await.unwrap()
}

pub fn ada() -> Identity {
    Identity {
        user_id: ADA,
        username: "ada".to_owned(),
        is_admin: false,
        is_temp: false,
        session_id: Uuid::nil(),
        needs_second_factor: false,
        credential_version: None,
        scopes: None,
    }
}

pub fn setup(number: u128) -> InviteSetup {
    InviteSetup {
        id: GameId(Uuid::from_u128(number)),
        inviter: Player { user: ADA, username: "ada".into() },
        opponent: None,
        size: BoardSize::MIN,
        starter: Mark::X,
        control: TimeControl::Untimed,
    }
}

pub fn meta() -> Meta {
    Meta { invite_token: None, notify: false, calendar: 0, rematch_of: None }
}
