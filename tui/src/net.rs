//! The connection to the server: one task for the websocket, and calls of the action API.

pub mod api;
pub mod backoff;
pub mod socket;

use std::sync::Arc;

use morpion_openapi::realtime::ClientFrame;
use tokio::{
    sync::{Semaphore, mpsc},
    task::{JoinHandle, JoinSet},
};

pub use morpion_shell::command_error;

use crate::{
    calls::Call,
    config::Settings,
    event::{Event, NetEvent},
};
use api::Api;
use command_error::{CommandError, FailureKind};

/// Calls under way at once: enough that a slow one delays no other, too few to be a burden. The
/// others wait; the state asks for nothing twice.
const CALLS: usize = 4;

/// Frames and commands that may wait for the network. A person makes a few a second; what finds no
/// room is dropped, and asked for again when the state notices (see [`crate::app`]).
const MAX_COMMANDS: usize = 64;

/// What the network is asked to do.
#[derive(Debug)]
pub enum SocketCommand {
    Send {
        frame: Box<ClientFrame>,
        id: Option<&'static str>,
    },
    /// Do not wait for the next try.
    Reconnect,
}

/// The running network side. Dropping it ends the connection.
#[derive(Debug)]
pub struct Net {
    commands: mpsc::Sender<SocketCommand>,
    api: Api,
    room: Arc<Semaphore>,
    /// Those under way end with the connection: nothing waits for their replies then.
    calls: JoinSet<()>,
    events: mpsc::Sender<Event>,
    socket: JoinHandle<()>,
}

impl Net {
    /// Starts connecting; what happens is sent to `events`.
    ///
    /// # Errors
    /// No HTTP client can be made (no root certificates, for example).
    pub fn start(settings: &Settings, events: mpsc::Sender<Event>) -> anyhow::Result<Self> {
        let api = Api::new(settings)?;
        let (commands, receiver) = mpsc::channel(MAX_COMMANDS);
        let connection = socket::Socket::new(settings, events.clone(), receiver)?;
        let monitor = events.clone();
        let socket = tokio::spawn(async move {
            if let Err(error) = tokio::spawn(connection.run()).await
                && error.is_panic()
            {
                monitor.send(Event::Broken("the connection's task failed".to_owned())).await.ok();
            }
        });
        Ok(Self { commands, api, room: Arc::new(Semaphore::new(CALLS)), calls: JoinSet::new(), events, socket })
    }

    pub fn request(&self, command: SocketCommand) {
        self.commands.try_send(command).ok();
    }

    /// Makes a call; the reply comes as an event.
    pub fn call(&mut self, call: Call) {
        while self.calls.try_join_next().is_some() {}
        let (api, events, room) = (self.api.clone(), self.events.clone(), Arc::clone(&self.room));
        self.calls.spawn(async move {
            // The semaphore is never closed.
            let _turn = room.acquire().await.ok();
            let outcome = api.call(&call).await.map(Box::new);
            events.send(Event::Net(NetEvent::Answered { call: Box::new(call), outcome })).await.ok();
        });
    }
}

/// The error code of a server that is addressed by a name which is not its own.
const BAD_HOST: &str = "bad-host";

/// What the operator can do about a server that is reached by another name than its own. It has nothing to do with the
/// token, whatever the status says.
fn named_wrong(refusal: CommandError) -> CommandError {
    if refusal.code != BAD_HOST {
        return refusal;
    }
    let text = "The server is not called what this console calls it. Through a tunnel, say with --host-header what it \
                is called where it runs: the address it listens on (127.0.0.1:8080), or its public name.";
    CommandError { kind: FailureKind::Unreachable, text: text.to_owned(), ..refusal }
}

/// What went wrong on the way, in a sentence.
fn io_sentence(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::ConnectionRefused => "Nothing answers there.".to_owned(),
        std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::UnexpectedEof => {
            "The connection was lost.".to_owned()
        }
        _ => tls_sentence(&error.to_string()),
    }
}

/// The operator's explanation of a TLS error.
fn tls_sentence(text: &str) -> String {
    if text.contains("UnknownIssuer") || text.contains("CaUsedAsEndEntity") {
        return "The server's certificate is signed by nobody this machine knows. Add its issuer to the system's \
                certificates, or name it in SSL_CERT_FILE."
            .to_owned();
    }
    if text.contains("NotValidForName") || text.contains("not valid for name") {
        return "The server's certificate is for another name.".to_owned();
    }
    if text.contains("Expired") || text.contains("expired") {
        return "The server's certificate has expired.".to_owned();
    }
    if text.contains("InvalidContentType") || text.contains("corrupt message") {
        return "The server does not speak TLS there: is the address http:// instead of https://?".to_owned();
    }
    format!("{}.", text.trim_end_matches('.'))
}

impl Drop for Net {
    fn drop(&mut self) {
        self.socket.abort();
    }
}
