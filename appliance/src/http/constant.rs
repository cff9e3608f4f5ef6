//! Answers that are the same for everybody: files of the build, and texts that are known once the server runs. None is
//! compressed for a request, and none takes memory for a client that does not read it.

use std::borrow::Cow;

use bytes::Bytes;
use poem::{
    Response,
    http::{HeaderMap, StatusCode, header},
};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use super::encoding::{Encoding, SMALLEST_COMPRESSED, compressed};

/// Marks an answer whose body is shared by all requests.
#[derive(Debug, Clone, Copy)]
pub struct IsConstant;

/// How something is sent, and for how long it is kept.
#[derive(Debug, Clone)]
pub struct Kind {
    pub content_type: Cow<'static, str>,
    pub cache_control: &'static str,
}

/// The answer to a request with these headers; empty if the client has it.
pub fn answer(headers: &HeaderMap, kind: &Kind, encoding: Option<Encoding>, tag: &str, bytes: Body) -> Response {
    let etag = format!("\"{tag}\"");
    let mut response = Response::builder()
        .header(header::ETAG, &etag)
        .header(header::VARY, "accept-encoding")
        .header(header::CACHE_CONTROL, kind.cache_control);
    if has_tag(headers, &etag) {
        return response.status(StatusCode::NOT_MODIFIED).finish();
    }
    if let Some(encoding) = encoding {
        response = response.header(header::CONTENT_ENCODING, encoding.token());
    }
    let bytes = match bytes {
        Body::Constant(bytes) => {
            response = response.extension(IsConstant);
            bytes
        }
        Body::Own(bytes) => bytes,
    };
    response.header(header::CONTENT_LENGTH, bytes.len()).content_type(&*kind.content_type).body(bytes)
}

/// The bytes of an answer: of the program or of this process, or read for this one.
#[derive(Debug)]
pub enum Body {
    Constant(Bytes),
    Own(Bytes),
}

impl From<Cow<'static, [u8]>> for Body {
    fn from(bytes: Cow<'static, [u8]>) -> Self {
        match bytes {
            Cow::Borrowed(bytes) => Self::Constant(Bytes::from_static(bytes)),
            Cow::Owned(bytes) => Self::Own(bytes.into()),
        }
    }
}

/// Whether `If-None-Match` lists the tag, compared weakly as RFC 9110 wants it.
fn has_tag(headers: &HeaderMap, etag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == etag || tag == "*")
}

/// A tag of a digest of what is sent.
pub fn tag(digest: &[u8]) -> String {
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// A text that is known once the server runs. It is compressed when it is asked for in an encoding for the first time, once,
/// behind play.
#[derive(Debug)]
pub struct ConstantText {
    kind: Kind,
    tag: String,
    plain: Bytes,
    brotli: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

impl ConstantText {
    pub fn new(kind: Kind, text: impl Into<Bytes>) -> Self {
        let plain = text.into();
        let tag = tag(&Sha256::digest(&plain));
        Self { kind, tag, plain, brotli: OnceCell::new(), gzip: OnceCell::new() }
    }

    /// The answer to a request with these headers.
    pub async fn answer(&self, headers: &HeaderMap) -> Response {
        let accepted = Encoding::accepted(headers).into_iter().next();
        let encoding = accepted.filter(|_| self.plain.len() >= SMALLEST_COMPRESSED);
        let Some(encoding) = encoding else {
            return answer(headers, &self.kind, None, &self.tag, Body::Constant(self.plain.clone()));
        };
        let made = match encoding {
            Encoding::Brotli => &self.brotli,
            Encoding::Gzip => &self.gzip,
        };
        match made.get_or_try_init(|| compressed(self.plain.clone(), encoding)).await {
            Ok(bytes) => {
                let tag = format!("{}-{}", self.tag, encoding.token());
                answer(headers, &self.kind, Some(encoding), &tag, Body::Constant(bytes.clone()))
            }
            Err(_) => answer(headers, &self.kind, None, &self.tag, Body::Constant(self.plain.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(encoding: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, encoding.parse().unwrap())])
    }

    #[tokio::test]
    async fn a_text_is_compressed_once_and_each_variant_has_a_tag() {
        let kind = Kind { content_type: "text/plain".into(), cache_control: "no-cache" };
        let text = ConstantText::new(kind, "a".repeat(20_000));
        let mut tags = vec![];
        for (accepted, encoding) in [("br", Some("br")), ("gzip", Some("gzip")), ("identity", None)] {
            let (first, second) = (text.answer(&accepting(accepted)).await, text.answer(&accepting(accepted)).await);
            assert_eq!(first.header("content-encoding"), encoding);
            assert!(first.extensions().get::<IsConstant>().is_some());
            let tag = first.header("etag").unwrap().to_owned();
            let bodies = [first.into_body(), second.into_body()].map(|body| body.into_bytes());
            let bodies = futures_util::future::try_join_all(bodies).await.unwrap();
            assert_eq!(bodies[0].as_ptr(), bodies[1].as_ptr(), "both are the same bytes");
            let mut known = accepting(accepted);
            known.insert(header::IF_NONE_MATCH, tag.parse().unwrap());
            assert_eq!(text.answer(&known).await.status(), StatusCode::NOT_MODIFIED);
            tags.push(tag);
        }
        tags.dedup();
        assert_eq!(tags.len(), 3);
    }
}
