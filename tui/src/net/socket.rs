//! The websocket: connects, reads, writes, and connects again for as long as the console runs.

use std::time::Duration;

use anyhow::Context;
use futures_util::{SinkExt, StreamExt};
use morpion_openapi::realtime::{ClientFrame, ServerFrame};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use tokio::{
    net::TcpStream,
    sync::mpsc,
    time::{Instant, sleep_until, timeout},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async_with_config,
    tungstenite::{
        self, Message, Utf8Bytes,
        client::IntoClientRequest,
        http::{HeaderValue, header},
        protocol::WebSocketConfig,
    },
};

use super::{
    SocketCommand,
    backoff::Backoff,
    command_error::{CommandError as Answer, FailureKind},
    io_sentence, named_wrong, tls_sentence,
};
use crate::{
    config::Settings,
    event::{Event, NetEvent},
    token::TokenSource,
};

/// A try to connect that takes longer has failed.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// The server pings every 15 s; after two that did not come the connection is dead.
const SILENCE: Duration = Duration::from_secs(35);
/// A connection that held this long was a good one: the next loss starts with the short wait.
const HELD: Duration = Duration::from_secs(5);
/// Without a valid token there is no sense in trying often; the file is looked at again this often.
const UNAUTHORIZED_WAIT: Duration = Duration::from_secs(5);
/// The largest message taken: 500 listed games are about 300 KiB.
const MAX_MESSAGE: usize = 4 * 1024 * 1024;

type Stream = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The task's state.
#[derive(Debug)]
pub struct Socket {
    address: Url,
    host_header: Option<HeaderValue>,
    token: TokenSource,
    events: mpsc::Sender<Event>,
    commands: mpsc::Receiver<SocketCommand>,
}

/// Why a try to connect failed.
enum CommandError {
    Unauthorized(String),
    Failed(String),
}

/// The console has ended: nothing receives events any more.
struct Over;

impl Socket {
    /// # Errors
    /// The server's address cannot be a websocket's.
    pub fn new(
        settings: &Settings,
        events: mpsc::Sender<Event>,
        commands: mpsc::Receiver<SocketCommand>,
    ) -> anyhow::Result<Self> {
        let mut address = settings.server.clone();
        let scheme = if address.scheme() == "https" { "wss" } else { "ws" };
        address.set_scheme(scheme).ok().context("the server's address cannot be a websocket's")?;
        address.set_path("/api/backend/realtime");
        let host_header = settings.host_header.clone();
        Ok(Self { address, host_header, token: settings.token.clone(), events, commands })
    }

    /// Runs until the console ends.
    pub async fn run(mut self) {
        let mut backoff = Backoff::default();
        while self.turn(&mut backoff).await.is_ok() {}
    }

    /// One try, the connection it leads to, and the wait after it.
    async fn turn(&mut self, backoff: &mut Backoff) -> Result<(), Over> {
        self.tell(NetEvent::Connecting).await?;
        let why = match self.connect().await {
            Ok(stream) => {
                let began = Instant::now();
                // Commands for the earlier connection are sent again once the new one is reported.
                while let Ok(command) = self.commands.try_recv() {
                    drop(command);
                }
                self.tell(NetEvent::Connected).await?;
                let why = self.serve(stream).await?;
                if began.elapsed() >= HELD {
                    backoff.reset();
                }
                why
            }
            Err(CommandError::Failed(why)) => why,
            Err(CommandError::Unauthorized(why)) => {
                self.tell(NetEvent::Unauthorized { why, retry_in_ms: UNAUTHORIZED_WAIT.as_millis() as i64 }).await?;
                return self.pause(UNAUTHORIZED_WAIT).await;
            }
        };
        let wait = backoff.next(rand::random());
        self.tell(NetEvent::Disconnected { why, retry_in_ms: wait.as_millis() as i64 }).await?;
        self.pause(wait).await
    }

    async fn tell(&self, news: NetEvent) -> Result<(), Over> {
        self.events.send(Event::Net(news)).await.map_err(|_| Over)
    }

    /// Waits, or until a reconnect is asked for.
    async fn pause(&mut self, wait: Duration) -> Result<(), Over> {
        let end = Instant::now() + wait;
        loop {
            tokio::select! {
                () = sleep_until(end) => return Ok(()),
                command = self.commands.recv() => match command {
                    Some(SocketCommand::Reconnect) => return Ok(()),
                    Some(SocketCommand::Send { .. }) => {}
                    None => return Err(Over),
                },
            }
        }
    }

    async fn connect(&self) -> Result<Stream, CommandError> {
        let token = self.token.read().map_err(CommandError::Unauthorized)?;
        let failed = |error: tungstenite::Error| CommandError::Failed(sentence(&error));
        let mut request = self.address.as_str().into_client_request().map_err(failed)?;
        let mut bearer = HeaderValue::from_str(&format!("Bearer {token}"))
            .map_err(|_| CommandError::Unauthorized("The token has characters that no token has.".to_owned()))?;
        bearer.set_sensitive(true);
        request.headers_mut().insert(header::AUTHORIZATION, bearer);
        if let Some(host) = &self.host_header {
            request.headers_mut().insert(header::HOST, host.clone());
        }
        let config = WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE)).max_frame_size(Some(MAX_MESSAGE));
        let connecting = connect_async_with_config(request, Some(config), true);
        match timeout(CONNECT_TIMEOUT, connecting).await {
            Ok(Ok((stream, _))) => Ok(stream),
            Ok(Err(tungstenite::Error::Http(response))) => {
                let body = response.body().as_deref().unwrap_or_default();
                let answer = named_wrong(Answer::from_answer(response.status().as_u16(), body));
                Err(match answer.kind {
                    FailureKind::NotAllowed => CommandError::Unauthorized(answer.text),
                    _ => CommandError::Failed(answer.text),
                })
            }
            Ok(Err(error)) => Err(failed(error)),
            Err(_) => Err(CommandError::Failed(format!("No answer within {} s.", CONNECT_TIMEOUT.as_secs()))),
        }
    }

    /// Transfers frames both ways until the connection ends; returns why it ended.
    async fn serve(&mut self, mut stream: Stream) -> Result<String, Over> {
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                message = stream.next() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => self.tell(read(&text)).await?,
                        Some(Ok(Message::Close(frame))) => {
                            let code = frame.map_or(1005, |frame| frame.code.into());
                            // Answers the close as the protocol wants it; then the stream is over.
                            stream.close(None).await.ok();
                            return Ok(close_reason(code));
                        }
                        Some(Ok(_)) => {}
                        Some(Err(error)) => return Ok(sentence(&error)),
                        None => return Ok("The server closed the connection.".to_owned()),
                    }
                }
                command = self.commands.recv() => match command {
                    Some(SocketCommand::Send { frame, id }) => {
                        let text = Utf8Bytes::from(write(&frame, id));
                        if let Err(error) = stream.send(Message::Text(text)).await {
                            return Ok(sentence(&error));
                        }
                    }
                    Some(SocketCommand::Reconnect) => {}
                    None => {
                        stream.close(None).await.ok();
                        return Err(Over);
                    }
                },
                () = sleep_until(heard + SILENCE) => {
                    return Ok(format!("The server has been silent for {} s.", SILENCE.as_secs()));
                }
            }
        }
    }
}

/// A frame as it is on the wire.
fn write(frame: &ClientFrame, id: Option<&str>) -> String {
    #[derive(Serialize)]
    struct Outgoing<'a> {
        #[serde(flatten)]
        frame: &'a ClientFrame,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a str>,
    }
    serde_json::to_string(&Outgoing { frame, id }).expect("wire types have string keys and no failing serializer")
}

fn read(text: &str) -> NetEvent {
    #[derive(Deserialize)]
    struct Id {
        id: Option<String>,
    }
    match serde_json::from_str::<ServerFrame>(text) {
        Ok(ServerFrame::Ack(ack)) => {
            let id = serde_json::from_str::<Id>(text).ok().and_then(|outer| outer.id).unwrap_or_default();
            NetEvent::Ack { id, ack }
        }
        Ok(frame) => NetEvent::Frame(Box::new(frame)),
        Err(_) => NetEvent::Unknown,
    }
}

fn close_reason(code: u16) -> String {
    match code {
        1001 => "The server is shutting down.".to_owned(),
        1008 => "The server refused what this console sent.".to_owned(),
        1013 => "This console could not keep up with the server.".to_owned(),
        4001 => "The token was revoked.".to_owned(),
        code => format!("The server closed the connection ({code})."),
    }
}

fn sentence(error: &tungstenite::Error) -> String {
    match error {
        tungstenite::Error::Io(error) => io_sentence(error),
        tungstenite::Error::Protocol(tungstenite::error::ProtocolError::ResetWithoutClosingHandshake) => {
            "The connection was lost.".to_owned()
        }
        error => tls_sentence(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_openapi::realtime::{Ack, CheckLoginActivity, SubscribeLiveGames};

    #[test]
    fn frames_are_written_as_the_server_reads_them() {
        let frame = ClientFrame::SubscribeLiveGames(SubscribeLiveGames {});
        for id in [None, Some("live-games")] {
            let (back, back_id) = ClientFrame::parse(&write(&frame, id)).expect("the server reads it");
            assert_eq!((back, back_id.as_deref()), (frame.clone(), id));
        }
    }

    #[test]
    fn acks_keep_their_id_and_unknown_frames_do_no_harm() {
        let ack = Ack { succeeded: true, error_message: None, error_code: None };
        assert!(matches!(read(&ack.to_text("spectate")), NetEvent::Ack { id, .. } if id == "spectate"));
        let frame = ServerFrame::CheckLoginActivity(CheckLoginActivity::default());
        assert!(matches!(read(&frame.to_text()), NetEvent::Frame(read) if *read == frame));
        for text in ["", "[]", r#"{"event":"fromTheFuture","data":{}}"#, r#"{"event":"moveUpdate","data":{}}"#] {
            assert!(matches!(read(text), NetEvent::Unknown), "{text}");
        }
    }
}
