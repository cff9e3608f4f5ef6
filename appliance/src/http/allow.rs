//! Methods that a path of the document does not take are refused before anything else of a request is looked at, and every
//! 405 has `Allow`, as HTTP demands (RFC 9110, 15.5.6). poem leaves it out.

use std::sync::Arc;

use poem::{
    Endpoint, IntoResponse, Middleware, Request, Response, Result,
    error::MethodNotAllowedError,
    http::{HeaderValue, Method, StatusCode, header},
};
use serde_json::Value;

/// What is no operation of the document is a page or a file.
const PAGES: &str = "GET, HEAD";

/// The middleware.
#[derive(Debug, Clone)]
pub struct Allow(Arc<Vec<Operations>>);

/// A path of the document, and the methods that it takes.
#[derive(Debug)]
struct Operations {
    path: String,
    methods: HeaderValue,
}

impl Allow {
    /// For the operations of an OpenAPI document.
    pub fn new(document: &Value) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        let operations = paths.map(|(path, operations)| {
            let mut methods: Vec<_> =
                operations.as_object().into_iter().flatten().map(|(method, _)| method.to_ascii_uppercase()).collect();
            if methods.iter().any(|method| method == "GET") {
                methods.push("HEAD".to_owned());
            }
            Operations { path: path.clone(), methods: methods.join(", ").parse().expect("methods are ASCII") }
        });
        Self(Arc::new(operations.collect()))
    }

    /// # Errors
    /// The path is in the document, and the method is none of its methods. `OPTIONS` is left to the check of origins.
    pub fn check(&self, request: &Request) -> Result<()> {
        let method = request.method();
        let takes = |methods: &HeaderValue| {
            methods.to_str().is_ok_and(|methods| methods.split(", ").any(|each| each == method.as_str()))
        };
        match self.of(request.uri().path()) {
            Some(methods) if *method != Method::OPTIONS && !takes(methods) => Err(MethodNotAllowedError.into()),
            _ => Ok(()),
        }
    }

    /// The template of a path of the document.
    pub fn route(&self, path: &str) -> Option<&str> {
        self.operations(path).map(|operations| operations.path.as_str())
    }

    /// The methods that a path of the document takes.
    fn of(&self, path: &str) -> Option<&HeaderValue> {
        self.operations(path).map(|operations| &operations.methods)
    }

    fn operations(&self, path: &str) -> Option<&Operations> {
        self.0.iter().find(|operations| fits(&operations.path, path))
    }
}

/// Whether a path has the form of a template such as `/a/{id}`.
fn fits(template: &str, path: &str) -> bool {
    let (mut parts, mut wanted) = (path.trim_end_matches('/').split('/'), template.split('/'));
    loop {
        match (wanted.next(), parts.next()) {
            (None, None) => return true,
            (Some(wanted), Some(part)) if wanted == part || wanted.starts_with('{') => {}
            _ => return false,
        }
    }
}

impl<E: Endpoint> Middleware<E> for Allow {
    type Output = AllowEndpoint<E>;

    fn transform(&self, inner: E) -> Self::Output {
        AllowEndpoint { inner, allow: self.clone() }
    }
}

#[derive(Debug)]
pub struct AllowEndpoint<E> {
    inner: E,
    allow: Allow,
}

impl<E: Endpoint> Endpoint for AllowEndpoint<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let path = request.uri().path().to_owned();
        let mut response = self.inner.call(request).await?.into_response();
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            let methods = || self.allow.of(&path).cloned().unwrap_or(HeaderValue::from_static(PAGES));
            response.headers_mut().entry(header::ALLOW).or_insert_with(methods);
        }
        Ok(response)
    }
}
