//! A bucket that speaks as much S3 as backups need, and holds or fails requests at a step of a backup.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
};

use poem::{
    Body, EndpointExt, Request, Response, Server, endpoint::make, http::Method, http::StatusCode, listener::TcpAcceptor,
};
use tokio::sync::watch;

/// What becomes of requests once there is a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    None,
    /// The answer to the request with this number is held; that which writes the first manifest has 0.
    Held(usize),
    /// They are done, and answered with an error.
    Failed,
}

#[derive(Default)]
struct Objects {
    /// Each with the number of its version.
    stored: BTreeMap<String, (u64, Vec<u8>)>,
    version: u64,
    /// Requests since the manifest.
    since: Option<usize>,
}

/// Clones share it.
#[derive(Clone)]
pub struct Bucket {
    pub endpoint: String,
    objects: Arc<Mutex<Objects>>,
    fault: watch::Sender<Fault>,
    is_reached: watch::Sender<bool>,
}

impl Bucket {
    pub async fn start(fault: Fault) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let acceptor = TcpAcceptor::from_std(listener).unwrap();
        let (fault, is_reached) = (watch::Sender::new(fault), watch::Sender::new(false));
        let bucket = Self { endpoint, objects: Arc::default(), fault, is_reached };
        let served = bucket.clone();
        let answer = make(move |request| served.clone().answer(request)).map_to_response();
        tokio::spawn(Server::new_with_acceptor(acceptor).run(answer));
        bucket
    }

    /// Until the fault has met a request.
    pub async fn reached(&self) {
        self.is_reached.subscribe().wait_for(|reached| *reached).await.unwrap();
    }

    /// From now on everything works, and what is held is answered.
    pub fn heal(&self) {
        self.fault.send_replace(Fault::None);
    }

    /// The names of the objects below `folder` of the only server, without what is before it.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let objects = self.objects.lock().unwrap();
        let below = |name: &String| Some(name.split_once(&format!("/{folder}/"))?.1.to_owned());
        objects.stored.keys().filter_map(below).collect()
    }

    async fn answer(self, mut request: Request) -> poem::Result<Response> {
        let body = request.take_body().into_vec().await?;
        let (answer, number) = {
            let mut objects = self.objects.lock().unwrap();
            let answer = objects.answer(&request, body);
            (answer, objects.since)
        };
        let fault = *self.fault.borrow();
        let is_met = match (fault, number) {
            (Fault::Held(held), Some(number)) => held == number,
            (Fault::Failed, Some(_)) => true,
            _ => false,
        };
        if !is_met {
            return Ok(answer);
        }
        self.is_reached.send_replace(true);
        if fault == Fault::Failed {
            return Ok(StatusCode::INTERNAL_SERVER_ERROR.into());
        }
        self.fault.subscribe().wait_for(|fault| *fault == Fault::None).await.unwrap();
        Ok(answer)
    }
}

impl Objects {
    fn answer(&mut self, request: &Request, body: Vec<u8>) -> Response {
        let name = request.uri().path().trim_start_matches("/backups").trim_start_matches('/').to_owned();
        self.since = self.since.map(|since| since + 1);
        match *request.method() {
            Method::GET if name.is_empty() => self.list(&request.params().unwrap()),
            Method::GET | Method::HEAD => {
                let Some((version, bytes)) = self.stored.get(&name) else { return StatusCode::NOT_FOUND.into() };
                let answer = Response::builder().header("etag", format!("\"{version}\""));
                let answer = answer.header("last-modified", "Sun, 01 Nov 2026 10:00:00 GMT");
                if request.method() == Method::HEAD {
                    return answer.header("content-length", bytes.len()).finish();
                }
                answer.body(Body::from_vec(bytes.clone()))
            }
            Method::PUT => {
                let found = self.stored.get(&name).map(|(version, _)| format!("\"{version}\""));
                let is_refused = match (request.header("if-none-match"), request.header("if-match")) {
                    (Some(_), _) => found.is_some(),
                    (None, Some(wanted)) => found.as_deref() != Some(wanted),
                    (None, None) => false,
                };
                if is_refused {
                    return StatusCode::PRECONDITION_FAILED.into();
                }
                self.version += 1;
                if name.contains("/backups/") {
                    self.since.get_or_insert(0);
                }
                self.stored.insert(name, (self.version, body));
                Response::builder().header("etag", format!("\"{}\"", self.version)).finish()
            }
            // A removal names the objects in its body.
            Method::POST if request.uri().query() == Some("delete") => {
                let text = String::from_utf8(body).unwrap();
                let names = text.split("<Key>").skip(1).filter_map(|rest| Some(rest.split_once("</Key>")?.0));
                let removed = names.inspect(|name| drop(self.stored.remove(*name)));
                let removed: String = removed.map(|name| format!("<Deleted><Key>{name}</Key></Deleted>")).collect();
                Response::builder().body(format!("<DeleteResult>{removed}</DeleteResult>"))
            }
            _ => StatusCode::NOT_IMPLEMENTED.into(),
        }
    }

    fn list(&self, parameters: &HashMap<String, String>) -> Response {
        let given = |name: &str| parameters.get(name).map_or("", String::as_str);
        let (prefix, delimiter) = (given("prefix"), given("delimiter"));
        let (mut contents, mut folders) = (String::new(), std::collections::BTreeSet::new());
        for (name, (version, bytes)) in &self.stored {
            let Some(rest) = name.strip_prefix(prefix) else { continue };
            match rest.split_once(delimiter).filter(|_| !delimiter.is_empty()) {
                Some((folder, _)) => drop(folders.insert(format!("{prefix}{folder}{delimiter}"))),
                None => contents.push_str(&format!(
                    "<Contents><Key>{name}</Key><LastModified>2026-11-01T10:00:00.000Z</LastModified>\
                     <ETag>{version}</ETag><Size>{}</Size></Contents>",
                    bytes.len()
                )),
            }
        }
        let folder = |folder: String| format!("<CommonPrefixes><Prefix>{folder}</Prefix></CommonPrefixes>");
        let folders: String = folders.into_iter().map(folder).collect();
        let text = format!("<ListBucketResult>{contents}{folders}</ListBucketResult>");
        Response::builder().content_type("application/xml").body(text)
    }
}
