//! Bodies of requests and responses.

use std::io;

use bytes::Bytes;
use morpion_openapi::action::{is_no_id, register_answer, strip_position, with_whole_numbers};
use poem::{FromRequest, IntoResponse, Request, RequestBody, Response, error::ReadBodyError, http::StatusCode};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions,
    payload::Json,
    registry::{MetaMediaType, MetaRequest, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
    types::Type,
};
use serde::{Serialize, de::DeserializeOwned};

use super::{ApiError, ErrorKind, encoding::Streamed};
use crate::caller::Call;

const JSON: &str = "application/json; charset=utf-8";

/// The largest JSON request body, in bytes; no call needs a tenth of it.
pub const MAX_JSON_BODY: usize = 64 * 1024;

async fn read_bytes(body: &mut RequestBody, limit: usize) -> Result<Bytes, ApiError> {
    let read = body.take().map_err(ApiError::internal)?.into_bytes_limit(limit).await;
    read.map_err(|error| match error {
        ReadBodyError::PayloadTooLarge => {
            ApiError::new(ErrorKind::TooLarge, "too-large", format!("The body has more than {limit} bytes."))
        }
        ReadBodyError::Io(error) => unreadable(&error),
        other => ApiError::malformed(format!("The body could not be read: {other}.")),
    })
}

/// Why a body did not arrive.
pub fn unreadable(error: &io::Error) -> ApiError {
    if error.kind() == io::ErrorKind::TimedOut {
        return ApiError::new(ErrorKind::TooSlow, "too-slow", "The body came too slowly.");
    }
    if error.kind() == io::ErrorKind::QuotaExceeded {
        return ApiError::unavailable("The server has no room for this body right now. Please try again.");
    }
    ApiError::malformed(format!("The body could not be read: {error}."))
}

/// Reads a JSON body as text; none is an object without fields.
///
/// # Errors
/// As [`read_json_if_any`].
pub async fn read_json_text(request: &Request, body: &mut RequestBody) -> Result<String, ApiError> {
    Ok(read_json_if_any(request, body).await?.unwrap_or_else(|| "{}".to_owned()))
}

/// Reads a JSON body as text; `None` if it is empty.
///
/// # Errors
/// 415 for another content type, 413 above [`MAX_JSON_BODY`], 408 if it does not come, 400 if it is not UTF-8.
pub async fn read_json_if_any(request: &Request, body: &mut RequestBody) -> Result<Option<String>, ApiError> {
    let bytes = read_bytes(body, MAX_JSON_BODY).await?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let is_json = request.content_type().is_some_and(|content_type| {
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        essence.eq_ignore_ascii_case("application/json")
    });
    if !is_json {
        return Err(ApiError::new(
            ErrorKind::Unsupported,
            "not-json",
            "The body must be JSON, with the content type application/json.",
        ));
    }
    let text = String::from_utf8(bytes.to_vec()).map_err(|_| ApiError::malformed("The body is not UTF-8."))?;
    Ok(Some(text))
}

/// Reads JSON into a type, naming the field that is wrong.
pub fn parse_json<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    // serde would accept a list for an object, with the fields in order.
    if !text.trim_start().starts_with('{') {
        return Err(ApiError::malformed("The body must be a JSON object."));
    }
    let read = |text: &str| {
        let mut reader = serde_json::Deserializer::from_str(text);
        serde_path_to_error::deserialize(&mut reader).map(|value| (value, reader.end()))
    };
    let (value, end) = with_whole_numbers(text, read).map_err(|error| {
        let path = error.path().to_string();
        let reason = strip_position(&error.inner().to_string());
        if is_no_id(&reason) {
            return ApiError::no_such_id();
        }
        ApiError::malformed(if path == "." { format!("{reason}.") } else { format!("{path}: {reason}.") })
    })?;
    end.map_err(|_| ApiError::malformed("There is more than one value in the body."))?;
    Ok(value)
}

/// Whether an object without fields is none of these.
fn has_required_fields<T: Type>() -> bool {
    let mut registry = Registry::new();
    T::register(&mut registry);
    registry.schemas.get(T::name().as_ref()).is_none_or(|schema| !schema.required.is_empty())
}

/// A JSON body, read strictly: unknown fields are refused by name. Where no field is required it may be absent.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<'a, T: DeserializeOwned + Type> ApiExtractor<'a> for Body<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: None,
            content: vec![MetaMediaType { content_type: JSON, schema: T::schema_ref() }],
            required: has_required_fields::<T>(),
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let text = read_json_text(request, body).await?;
        Ok(Self(parse_json(&text)?))
    }
}

/// A body exactly as it was sent, to verify its signature.
#[derive(Debug)]
pub struct SignedBody(pub String);

/// Events of the payment provider contain a whole object; the largest have some 100 KiB.
pub const MAX_SIGNED_BODY: usize = 512 * 1024;

impl<'a> ApiExtractor<'a> for SignedBody {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(_registry: &mut Registry) {}

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: Some("An event, signed in the header `Stripe-Signature`."),
            content: vec![MetaMediaType {
                content_type: JSON,
                schema: MetaSchemaRef::Inline(Box::new(MetaSchema::ANY)),
            }],
            required: true,
        })
    }

    async fn from_request(
        _request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let bytes = read_bytes(body, MAX_SIGNED_BODY).await?;
        let text = String::from_utf8(bytes.to_vec()).map_err(|_| ApiError::malformed("The body is not UTF-8."))?;
        Ok(Self(text))
    }
}

/// A response with `succeeded: true` and its own fields.
#[derive(Debug)]
pub struct Answer<T>(pub T);

impl<T: Serialize> Answer<T> {
    pub fn to_text(&self) -> String {
        succeeded_text(&self.0)
    }
}

/// A response as JSON text, with `succeeded: true` before its own fields.
pub fn succeeded_text<T: Serialize>(answer: &T) -> String {
    #[derive(Serialize)]
    struct Succeeded<'a, T> {
        succeeded: bool,
        #[serde(flatten)]
        answer: &'a T,
    }
    serde_json::to_string(&Succeeded { succeeded: true, answer }).expect("wire types are plain data")
}

impl<T: Serialize + Send> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        json_response(self.to_text())
    }
}

/// A 200 with JSON that is not cached.
pub fn json_response(text: impl Into<poem::Body>) -> Response {
    Response::builder().content_type(JSON).header("cache-control", "no-store").body(text)
}

impl<T: Type> ApiResponse for Answer<T> {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "It succeeded.",
                status: Some(200),
                status_range: None,
                content: vec![MetaMediaType { content_type: JSON, schema: schema_of::<T>() }],
                headers: vec![],
            }],
        }
    }

    fn register(registry: &mut Registry) {
        register_answer::<T>(registry);
    }
}

fn schema_of<T: Type>() -> MetaSchemaRef {
    T::schema_ref()
}

/// JSON that browsers save as a file, generated while it is sent.
#[derive(Debug)]
pub struct Download {
    /// ASCII, without quotes.
    pub file_name: &'static str,
    pub body: poem::Body,
}

impl IntoResponse for Download {
    fn into_response(self) -> Response {
        Response::builder()
            .content_type(JSON)
            .header("cache-control", "no-store")
            .header("content-disposition", format!("attachment; filename=\"{}\"", self.file_name))
            .extension(Streamed)
            .body(self.body)
    }
}

impl ApiResponse for Download {
    fn meta() -> MetaResponses {
        <Json<serde_json::Value> as ApiResponse>::meta()
    }

    fn register(registry: &mut Registry) {
        <Json<serde_json::Value> as ApiResponse>::register(registry);
    }
}

/// A 302 to the next URL of a sign-in flow.
#[derive(Debug)]
pub struct Redirect(pub String);

impl IntoResponse for Redirect {
    fn into_response(self) -> Response {
        Response::builder()
            .status(StatusCode::FOUND)
            .header("location", self.0)
            .header("cache-control", "no-store")
            .finish()
    }
}

impl ApiResponse for Redirect {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "The browser goes on at `Location`.",
                status: Some(302),
                status_range: None,
                content: vec![],
                headers: vec![],
            }],
        }
    }

    fn register(_registry: &mut Registry) {}
}

/// An iCalendar file (RFC 5545).
#[derive(Debug)]
pub struct CalendarFile {
    pub text: String,
    /// Of the file, without `.ics`.
    pub name: &'static str,
}

const CALENDAR: &str = "text/calendar; charset=utf-8";

impl IntoResponse for CalendarFile {
    fn into_response(self) -> Response {
        Response::builder()
            .content_type(CALENDAR)
            .header("content-disposition", format!("attachment; filename=\"{}.ics\"", self.name))
            .body(self.text)
    }
}

impl ApiResponse for CalendarFile {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "For one's calendar.",
                status: Some(200),
                status_range: None,
                content: vec![MetaMediaType { content_type: CALENDAR, schema: String::schema_ref() }],
                headers: vec![],
            }],
        }
    }

    fn register(_registry: &mut Registry) {}
}

/// A table for spreadsheets (RFC 4180).
#[derive(Debug)]
pub struct CsvFile {
    /// ASCII, without quotes.
    pub file_name: String,
    pub body: poem::Body,
}

const CSV: &str = "text/csv; charset=utf-8";

impl IntoResponse for CsvFile {
    fn into_response(self) -> Response {
        attached(CSV, &self.file_name, self.body)
    }
}

impl ApiResponse for CsvFile {
    fn meta() -> MetaResponses {
        text_file(CSV, "The table, with a row of headings.")
    }

    fn register(_registry: &mut Registry) {}
}

/// A tournament for pairing and rating programs: TRF16, FIDE's format.
#[derive(Debug)]
pub struct ReportFile {
    /// ASCII, without quotes.
    pub file_name: String,
    pub text: String,
}

const REPORT: &str = "text/plain; charset=utf-8";

impl IntoResponse for ReportFile {
    fn into_response(self) -> Response {
        attached(REPORT, &self.file_name, self.text.into())
    }
}

impl ApiResponse for ReportFile {
    fn meta() -> MetaResponses {
        text_file(REPORT, "The tournament as TRF16.")
    }

    fn register(_registry: &mut Registry) {}
}

fn attached(content_type: &str, file_name: &str, body: poem::Body) -> Response {
    Response::builder()
        .content_type(content_type)
        .header("cache-control", "no-store")
        .header("content-disposition", format!("attachment; filename=\"{file_name}\""))
        .extension(Streamed)
        .body(body)
}

fn text_file(content_type: &'static str, description: &'static str) -> MetaResponses {
    MetaResponses {
        responses: vec![MetaResponse {
            description,
            status: Some(200),
            status_range: None,
            content: vec![MetaMediaType { content_type, schema: String::schema_ref() }],
            headers: vec![],
        }],
    }
}

impl<'a> FromRequest<'a> for Call {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> poem::Result<Self> {
        let call = request.extensions().get::<Call>().cloned();
        Ok(call.ok_or_else(|| ApiError::internal("a route outside the identifying middleware asked who calls"))?)
    }
}
