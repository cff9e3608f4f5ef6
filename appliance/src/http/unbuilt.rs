//! Resources whose server side is still to come: they are in the contract, read their payloads as
//! strictly as the others, and answer 501.

use std::marker::PhantomData;

use morpion_openapi::action::ActionSet;

use super::{
    Fault,
    body::Call,
    resource::{Reply, Resource},
};

/// The operation ids of a resource in the document.
pub trait Ids: Send + Sync + 'static {
    const IDS: (&'static str, &'static str);
}

macro_rules! ids {
    ($($name:ident: $read:literal, $write:literal;)*) => { $(
        #[derive(Debug)]
        pub struct $name;

        impl Ids for $name {
            const IDS: (&'static str, &'static str) = ($read, $write);
        }
    )* };
}

ids! {
    SubscriptionIds: "readSubscription", "writeSubscription";
}

/// See the module's description.
pub struct Unbuilt<I, R, W> {
    ids: PhantomData<fn() -> I>,
    reads: PhantomData<fn() -> R>,
    writes: PhantomData<fn() -> W>,
}

impl<I, R, W> Default for Unbuilt<I, R, W> {
    fn default() -> Self {
        Self { ids: PhantomData, reads: PhantomData, writes: PhantomData }
    }
}

impl<I: Ids, R: ActionSet, W: ActionSet> Resource for Unbuilt<I, R, W> {
    type Reads = R;
    type Writes = W;
    const IDS: (&'static str, &'static str) = I::IDS;

    async fn read(&self, _call: Call, _action: R) -> Result<Reply, Fault> {
        Err(Fault::not_built())
    }

    async fn write(&self, _call: Call, _action: W) -> Result<Reply, Fault> {
        Err(Fault::not_built())
    }
}
