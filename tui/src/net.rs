//! The way to the server: one task that keeps the websocket, and calls of the action API beside it.

pub mod api;
pub mod backoff;
pub mod socket;

use morpion_openapi::realtime::ClientFrame;
use tokio::{sync::mpsc, task::JoinHandle};

use crate::{config::Settings, event::Event};
use api::Api;

/// Frames and wishes that may wait for the network. A person makes a few a second; what finds no
/// room is dropped, and asked for again when the state notices (see [`crate::app`]).
const WISHES: usize = 64;

/// What the network is asked to do.
#[derive(Debug)]
pub enum Wish {
    Send {
        frame: ClientFrame,
        id: Option<&'static str>,
    },
    /// Do not wait for the next try.
    Reconnect,
}

/// The running network side. Dropping it ends the connection.
#[derive(Debug)]
pub struct Net {
    wishes: mpsc::Sender<Wish>,
    api: Api,
    events: mpsc::Sender<Event>,
    socket: JoinHandle<()>,
}

impl Net {
    /// Starts connecting; news go to `events`.
    ///
    /// # Errors
    /// No HTTP client can be made (no root certificates, for example).
    pub fn start(settings: &Settings, events: mpsc::Sender<Event>) -> anyhow::Result<Self> {
        let api = Api::new(settings.server.clone(), settings.token.clone())?;
        let (wishes, receiver) = mpsc::channel(WISHES);
        let connection = socket::Socket::new(settings, events.clone(), receiver)?;
        let monitor = events.clone();
        let socket = tokio::spawn(async move {
            if let Err(error) = tokio::spawn(connection.run()).await
                && error.is_panic()
            {
                monitor.send(Event::Broken("the connection's task failed".to_owned())).await.ok();
            }
        });
        Ok(Self { wishes, api, events, socket })
    }

    pub fn wish(&self, wish: Wish) {
        self.wishes.try_send(wish).ok();
    }

    /// Asks for a page of the live games; the answer comes as an event.
    pub fn fetch_live_games(&self, page: u32) {
        let (api, events) = (self.api.clone(), self.events.clone());
        tokio::spawn(async move {
            let outcome = api.live_games(page).await;
            let news = crate::event::NetEvent::LiveGamesPage { page, outcome };
            events.send(Event::Net(news)).await.ok();
        });
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        self.socket.abort();
    }
}
