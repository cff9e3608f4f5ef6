//! Upload and download of profile images.

use std::{io, time::Duration};

use morpion_store::AvatarImage;
use poem::{
    Body, IntoResponse, Request, RequestBody, Response,
    http::{HeaderMap, StatusCode, Uri},
};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions, Multipart,
    payload::{ParsePayload, Payload},
    registry::{MetaMediaType, MetaRequest, MetaResponse, MetaResponses, Registry},
    types::multipart::Upload,
};
use tokio::{
    io::{AsyncReadExt, copy, sink},
    time::timeout,
};
use uuid::Uuid;

use super::{ApiError, ErrorKind, body::unreadable};
use crate::account::image_processor::{AvatarError, MAX_BYTES};

/// The largest form in bytes: the file and the rest of the form.
const MAX_FORM: usize = MAX_BYTES + 16 * 1024;

/// How much of a too large form is still read and discarded; a photograph straight from a camera is not larger.
const MAX_DISCARDED: u64 = 64 * 1024 * 1024;

/// How long a form may take: it has a place in the queue meanwhile.
const READ_WITHIN: Duration = Duration::from_secs(60);

/// The form as the contract describes it.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase", deny_unknown_fields)]
struct ProfileImage {
    /// A png, gif or jpeg of at most 5 MiB.
    file: Upload,
    user_id: Option<Uuid>,
}

/// An uploaded file that is not read yet: the caller is checked first.
#[derive(Debug)]
pub struct ImageUpload {
    content_type: String,
    body: Body,
}

/// An uploaded file.
#[derive(Debug)]
pub struct UploadedImage {
    /// The content type that came with it.
    pub declared_type: Option<String>,
    pub file: Vec<u8>,
    /// The user whose image it is, as the form says.
    pub user_id: Option<Uuid>,
}

impl ImageUpload {
    /// Reads the form, up to the limit.
    ///
    /// # Errors
    /// 413 above 5 MiB, 408 if it does not come, 400 and 415 for an invalid form.
    pub async fn read(self) -> Result<UploadedImage, ApiError> {
        let late = |_| ApiError::new(ErrorKind::TooSlow, "too-slow", "The picture came too slowly.");
        let bytes = timeout(READ_WITHIN, read_form(self.body)).await.map_err(late)??;
        let (request, mut body) = Request::builder().content_type(&self.content_type).body(bytes).split();
        let ProfileImage { file, user_id } = <ProfileImage as ParsePayload>::from_request(&request, &mut body)
            .await
            .map_err(|error| ApiError::malformed(format!("The form could not be read: {error}.")))?;
        let declared_type = file.content_type().map(str::to_owned);
        let mut file = file.into_vec().await.map_err(ApiError::internal)?;
        // It may wait for its turn, and has grown by doubling.
        file.shrink_to_fit();
        Ok(UploadedImage { declared_type, file, user_id })
    }
}

async fn read_form(body: Body) -> Result<Vec<u8>, ApiError> {
    let mut reader = body.into_async_read();
    let mut bytes = Vec::new();
    let unreadable = |error: io::Error| unreadable(&error);
    (&mut reader).take(MAX_FORM as u64 + 1).read_to_end(&mut bytes).await.map_err(unreadable)?;
    if bytes.len() > MAX_FORM {
        // If we respond while it still sends, a browser shows a broken connection instead of the response.
        let rest = copy(&mut reader.take(MAX_DISCARDED), &mut sink()).await;
        return Err(rest.map_or_else(unreadable, |_| AvatarError::TooLarge.into()));
    }
    Ok(bytes)
}

impl<'a> ApiExtractor<'a> for ImageUpload {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        <ProfileImage as Payload>::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: None,
            content: vec![MetaMediaType {
                content_type: ProfileImage::CONTENT_TYPE,
                schema: ProfileImage::schema_ref(),
            }],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let content_type = request.content_type().unwrap_or_default().to_owned();
        Ok(Self { content_type, body: body.take()? })
    }
}

/// An avatar as a response. Its URL contains its version, so that browsers cache it indefinitely; without a version
/// they revalidate it each time.
#[derive(Debug)]
pub struct AvatarResponse {
    image: AvatarImage,
    names_version: bool,
    is_known: bool,
}

impl AvatarResponse {
    /// For a request with these headers to this URI.
    pub fn new(image: AvatarImage, headers: &HeaderMap, uri: &Uri) -> Self {
        let version = format!("v={}", image.version);
        let names_version = uri.query().is_some_and(|query| query.split('&').any(|part| part == version));
        let known = headers.get("if-none-match").and_then(|value| value.to_str().ok());
        let is_known =
            known.is_some_and(|known| known.split(',').any(|tag| tag.trim().trim_start_matches("W/") == etag(&image)));
        Self { image, names_version, is_known }
    }
}

fn etag(image: &AvatarImage) -> String {
    format!("\"{}\"", image.version)
}

impl IntoResponse for AvatarResponse {
    fn into_response(self) -> Response {
        let cache_control = if self.names_version { "public, max-age=31536000, immutable" } else { "no-cache" };
        let response = Response::builder()
            .header("etag", etag(&self.image))
            .header("cache-control", cache_control)
            .header("x-content-type-options", "nosniff")
            // Opened directly it is an image and cannot be anything else.
            .header("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
        if self.is_known {
            return response.status(StatusCode::NOT_MODIFIED).finish();
        }
        response.content_type(&self.image.media_type).body(self.image.image)
    }
}

impl ApiResponse for AvatarResponse {
    fn meta() -> MetaResponses {
        let content = |content_type| MetaMediaType {
            content_type,
            schema: poem_openapi::payload::Binary::<Vec<u8>>::schema_ref(),
        };
        MetaResponses {
            responses: vec![MetaResponse {
                description: "The picture, as wide as high.",
                status: Some(200),
                status_range: None,
                content: vec![content("image/jpeg"), content("image/png")],
                headers: vec![],
            }],
        }
    }

    fn register(_registry: &mut Registry) {}
}
