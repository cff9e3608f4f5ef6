//! Closes the sockets of sessions and operator tokens that end: at once when the end is announced, and within seconds
//! when they expire or the announcement was missed.

use std::{collections::HashMap, sync::Arc, time::Duration};

use morpion_openapi::realtime::CheckLoginActivity;
use tokio::{
    sync::broadcast::{
        Receiver,
        error::{RecvError, TryRecvError},
    },
    time::{MissedTickBehavior, interval},
};

use crate::{
    account::{ClosureReason, SocketClosure, error::AccountError},
    app::App,
    clock,
    http::convert::moderation::any_suspension,
};

/// How often expired sessions and tokens are looked for: their sockets close within 5 seconds, of which a client that
/// does not read may take 4.
const CHECK_EVERY: Duration = Duration::from_secs(1);

/// Sockets that one query asks about.
const BATCH: usize = 500;

impl App {
    pub(super) async fn close_ended_sessions(self: Arc<Self>) {
        let mut closures = self.accounts.closures();
        while self.close_announced(&mut closures).await {}
    }

    /// Waits for an announcement and closes the sockets of all that have come by then: each takes a look at every
    /// socket. Returns whether there may be more.
    async fn close_announced(&self, announced: &mut Receiver<SocketClosure>) -> bool {
        let mut ended = HashMap::new();
        let mut next = match announced.recv().await {
            Ok(closure) => Ok(closure),
            Err(RecvError::Lagged(missed)) => Err(TryRecvError::Lagged(missed)),
            Err(RecvError::Closed) => return false,
        };
        loop {
            match next {
                Ok(SocketClosure { session_id, reason: ClosureReason::Ended { suspension } }) => {
                    let suspension = suspension.as_ref().map(any_suspension);
                    ended.insert(session_id, Some(CheckLoginActivity { suspension }));
                }
                Ok(SocketClosure { session_id, reason: ClosureReason::RightsChanged }) => {
                    ended.entry(session_id).or_insert(None);
                }
                Err(TryRecvError::Lagged(missed)) => {
                    tracing::warn!(missed, "ended sessions were missed; all sockets are checked");
                    self.hub.check_all();
                }
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
            next = announced.try_recv();
        }
        self.hub.close_sockets_of(&ended);
        // Those that are missed here are looked for before each push, and every hour.
        let sessions: Vec<_> = ended.into_keys().collect();
        if let Err(error) = self.accounts.forget_browsers_of(&sessions).await {
            tracing::warn!(%error, "push subscriptions of ended sessions were not removed yet");
        }
        true
    }

    /// Closes the sockets of sessions and tokens that expired, or whose end was missed.
    pub(super) async fn close_expired(self: Arc<Self>) {
        let mut ticks = interval(CHECK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.close_overdue().await {
                // It is tried again with the next tick.
                tracing::warn!(%error, "whether sessions have ended cannot be read");
            }
        }
    }

    /// The store is asked only about those that have ended as far as their socket knows.
    async fn close_overdue(&self) -> Result<(), AccountError> {
        let (steady, wall) = (clock::millis(self.clock.steady()), clock::millis(self.clock.wall()));
        for batch in self.hub.overdue(steady, wall).chunks(BATCH) {
            let checks: Vec<_> = batch.iter().map(|connection| connection.begin_check()).collect();
            let ends = self.accounts.valid_until(batch.iter().map(|connection| &connection.caller)).await?;
            let mut ended = HashMap::new();
            for (connection, check) in batch.iter().zip(checks) {
                let Some(id) = connection.caller.credential_id() else { continue };
                match ends.get(&id) {
                    Some(end) => connection.set_valid_until(check, clock::millis(*end)),
                    None => drop(ended.insert(id, Some(CheckLoginActivity::default()))),
                }
            }
            self.hub.close_sockets_of(&ended);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
