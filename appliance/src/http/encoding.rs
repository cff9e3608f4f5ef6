//! Content encodings: what a client accepts, and compression, which takes a core for longer than everything else of an
//! answer. It is done behind play only: no other module compresses.

use std::{io, sync::Arc};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use poem::{
    Body, Endpoint, IntoResponse, Middleware, Request, Response, Result,
    error::InternalServerError,
    http::{HeaderMap, HeaderValue, header},
    web::{Compress, CompressionAlgo, CompressionLevel},
};
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use crate::{
    background::queries,
    shares::{Share, Shares},
    subject::ClientAddress,
};

/// Smaller responses are not compressed: it would save no packet.
pub const SMALLEST_COMPRESSED: usize = 1_024;

/// Answers that are compressed at once, in all and for one address; a further one is sent as it is. One takes less than a
/// millisecond, but for exports, which take as long as their client reads.
const MAX_UNDER_WAY: u64 = 64;
const MAX_UNDER_WAY_EACH: u64 = 16;

/// The encodings we send, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// Its token in HTTP.
    pub fn token(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The encodings that the client accepts, the better one first if it has no preference.
    pub fn accepted(headers: &HeaderMap) -> Vec<Self> {
        let mut accepted: Vec<(Self, u32)> = [Self::Brotli, Self::Gzip]
            .into_iter()
            .filter_map(|encoding| Some((encoding, weight(headers, encoding.token())?)))
            .collect();
        accepted.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        accepted.into_iter().map(|(encoding, _)| encoding).collect()
    }
}

/// The weight in thousandths that `Accept-Encoding` gives a token; `None` if it is not accepted.
fn weight(headers: &HeaderMap, token: &str) -> Option<u32> {
    let mut any = None;
    for value in headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok()) {
        for item in value.split(',') {
            let mut parts = item.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let quality = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok()).unwrap_or(1.0);
            let weight = (quality.clamp(0.0, 1.0) * 1_000.0) as u32;
            if name.eq_ignore_ascii_case(token) {
                return (weight > 0).then_some(weight);
            }
            if name == "*" {
                any = (weight > 0).then_some(weight);
            }
        }
    }
    any
}

/// Marks a response whose body is generated while it is sent: it is never in memory as a whole.
#[derive(Debug, Clone, Copy)]
pub struct Streamed;

/// Compresses generated responses: texts of some length that are not encoded already.
///
/// Unlike poem's own middleware it leaves request bodies as they are (a small body cannot become a huge one), small
/// responses too, and assets, which the build has compressed.
#[derive(Clone)]
pub struct Compression {
    under_way: Arc<Shares>,
    address_of: Arc<dyn Fn(&Request) -> ClientAddress + Send + Sync>,
}

impl Compression {
    /// `address_of` tells whose request it is.
    pub fn new(address_of: impl Fn(&Request) -> ClientAddress + Send + Sync + 'static) -> Self {
        Self { under_way: Shares::new(MAX_UNDER_WAY, MAX_UNDER_WAY_EACH), address_of: Arc::new(address_of) }
    }
}

impl<E: Endpoint> Middleware<E> for Compression {
    type Output = CompressionEndpoint<E>;

    fn transform(&self, inner: E) -> Self::Output {
        CompressionEndpoint { inner, compression: self.clone() }
    }
}

pub struct CompressionEndpoint<E> {
    inner: E,
    compression: Compression,
}

impl<E: Endpoint> Endpoint for CompressionEndpoint<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let encoding = Encoding::accepted(request.headers()).into_iter().next();
        let client = (self.compression.address_of)(&request);
        let mut response = self.inner.call(request).await?.into_response();
        // A response with an ETag is a file, and the tag identifies these very bytes.
        let settled = [header::CONTENT_ENCODING, header::ETAG].iter().any(|name| response.headers().contains_key(name));
        if settled || !is_text(response.headers()) {
            return Ok(response);
        }
        response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
        let Some(encoding) = encoding else { return Ok(response) };
        if response.data::<Streamed>().is_none() {
            // Our other texts are generated in memory, so this copies nothing.
            let body = response.take_body().into_bytes().await?;
            if body.len() < SMALLEST_COMPRESSED {
                response.set_body(body);
                return Ok(response);
            }
            // Who has too much of it under way gets it as it is.
            let Ok(_share) = self.compression.under_way.take(Some(client.into()), 1) else {
                response.set_body(body);
                return Ok(response);
            };
            response.set_body(compressed(body, encoding).await.map_err(InternalServerError)?);
        } else {
            let Ok(share) = self.compression.under_way.take(Some(client.into()), 1) else { return Ok(response) };
            let body = response.take_body();
            response.set_body(compressed_in_parts(body, encoding, share));
        }
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.token()));
        response.headers_mut().remove(header::CONTENT_LENGTH);
        Ok(response)
    }
}

/// Compresses a text.
///
/// # Errors
/// The threads of queries have ended.
pub async fn compressed(text: Bytes, encoding: Encoding) -> io::Result<Bytes> {
    let work = async move { compressing(Body::from_bytes(text), encoding).into_bytes().await };
    let bytes = AbortOnDropHandle::new(queries().spawn(work)).await.map_err(io::Error::other)?;
    bytes.map_err(io::Error::other)
}

/// The same body, compressed as it comes.
fn compressed_in_parts(body: Body, encoding: Encoding, share: Share) -> Body {
    let (parts, sent) = mpsc::channel(1);
    queries().spawn(async move {
        let mut compressed = Box::pin(compressing(body, encoding).into_bytes_stream());
        while let Some(part) = compressed.next().await {
            // It fails when the client is gone.
            if parts.send(part).await.is_err() {
                break;
            }
        }
        drop(share);
    });
    let next = |mut sent: mpsc::Receiver<_>| async move { sent.recv().await.map(|part| (part, sent)) };
    Body::from_bytes_stream(stream::unfold(sent, next))
}

/// A body that compresses where it is read.
fn compressing(body: Body, encoding: Encoding) -> Body {
    let algorithm = match encoding {
        Encoding::Brotli => CompressionAlgo::BR,
        Encoding::Gzip => CompressionAlgo::GZIP,
    };
    let response = Response::builder().body(body);
    Compress::new(response, algorithm).with_quality(CompressionLevel::Fastest).into_response().into_body()
}

fn is_text(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    ["text/", "application/json", "application/x-ndjson"].iter().any(|text| content_type.starts_with(text))
}

#[cfg(test)]
mod tests {
    use poem::{EndpointExt, endpoint::make_sync, http::StatusCode, test::TestClient};

    use super::*;

    fn accepted(text: &str) -> Vec<Encoding> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, text.parse().unwrap());
        Encoding::accepted(&headers)
    }

    #[test]
    fn the_client_chooses_and_we_prefer_brotli() {
        assert_eq!(accepted("gzip, deflate, br, zstd"), [Encoding::Brotli, Encoding::Gzip]);
        assert_eq!(accepted("gzip;q=1.0, br;q=0.5"), [Encoding::Gzip, Encoding::Brotli]);
        assert_eq!(accepted("br;q=0, gzip"), [Encoding::Gzip]);
        assert_eq!(accepted("*"), [Encoding::Brotli, Encoding::Gzip]);
        assert_eq!(accepted("*;q=0, gzip;q=0.1"), [Encoding::Gzip]);
        assert_eq!(accepted("identity"), []);
        assert_eq!(accepted("br;q=nonsense"), [Encoding::Brotli]);
        assert_eq!(Encoding::accepted(&HeaderMap::new()), []);
    }

    fn compression() -> Compression {
        Compression::new(|_| ClientAddress::UNKNOWN)
    }

    #[tokio::test]
    async fn who_has_too_much_under_way_gets_it_as_it_is() {
        let endless = || futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b'a'; 64 * 1024]));
        let endpoint = make_sync(move |request: Request| match request.uri().path() {
            "/export" => Response::builder()
                .content_type("application/json")
                .extension(Streamed)
                .body(Body::from_bytes_stream(endless())),
            _ => Response::builder().content_type("application/json").body("a".repeat(20_000)),
        });
        let address =
            |request: &Request| request.header("x-address").unwrap().parse::<std::net::IpAddr>().unwrap().into();
        let client = TestClient::new(endpoint.with(Compression::new(address)));
        let encoding = async |path: &str, address: &str| {
            let response = client.get(path).header("accept-encoding", "gzip").header("x-address", address).send().await;
            (response.0.headers().contains_key(header::CONTENT_ENCODING), response)
        };
        let mut exports = vec![];
        for _ in 0..MAX_UNDER_WAY_EACH {
            let (is_compressed, export) = encoding("/export", "192.0.2.1").await;
            assert!(is_compressed);
            exports.push(export);
        }
        assert!(!encoding("/", "192.0.2.1").await.0);
        assert!(encoding("/", "192.0.2.2").await.0, "others are not concerned");
    }

    fn answering(content_type: &'static str, length: usize) -> TestClient<impl Endpoint> {
        let endpoint = make_sync(move |_| Response::builder().content_type(content_type).body("a".repeat(length)))
            .with(compression());
        TestClient::new(endpoint)
    }

    #[tokio::test]
    async fn long_texts_are_compressed_and_short_ones_and_pictures_are_not() {
        let sent = |client: TestClient<_>| async move {
            let response = client.get("/").header("accept-encoding", "gzip, br").send().await;
            response.assert_status(StatusCode::OK);
            let encoding = response.0.headers().get(header::CONTENT_ENCODING).cloned();
            (encoding, response.0.into_body().into_bytes().await.unwrap().len())
        };
        let (encoding, length) = sent(answering("application/json; charset=utf-8", 20_000)).await;
        assert_eq!(encoding.unwrap(), "br");
        assert!(length < 1_000);
        assert_eq!(sent(answering("application/json", 100)).await, (None, 100));
        assert_eq!(sent(answering("image/webp", 20_000)).await, (None, 20_000));
    }

    #[tokio::test]
    async fn what_is_streamed_is_compressed_without_waiting_for_its_end() {
        let endless = || futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b'a'; 64 * 1024]));
        let endpoint = make_sync(move |_| {
            let response = Response::builder().content_type("application/json");
            response.extension(Streamed).body(Body::from_bytes_stream(endless()))
        });
        let client = TestClient::new(endpoint.with(compression()));
        let response = client.get("/").header("accept-encoding", "gzip").send();
        let response = tokio::time::timeout(std::time::Duration::from_secs(10), response).await.unwrap();
        response.assert_header(header::CONTENT_ENCODING, "gzip");
        let mut body = response.0.into_body().into_async_read();
        let mut some = [0; 10_000];
        tokio::io::AsyncReadExt::read_exact(&mut body, &mut some).await.unwrap();
    }

    #[tokio::test]
    async fn who_takes_no_encoding_gets_none_and_caches_are_told() {
        let response = answering("application/json", 20_000).get("/").send().await;
        assert!(response.0.headers().get(header::CONTENT_ENCODING).is_none());
        response.assert_header("vary", "accept-encoding");
    }
}
