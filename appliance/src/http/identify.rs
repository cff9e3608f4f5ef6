//! Identifies the caller of a request, before any handler sees it: `docs/behaviour/accounts.md#kinds-of-caller`.

use std::sync::Arc;

use poem::{
    Endpoint, IntoResponse, Middleware, Request, Response,
    middleware::{CookieJarManager, CookieJarManagerEndpoint},
};

use tracing::{Span, field::display};

use super::ApiError;
use crate::{account::cookies::Cookies, app::App, caller::Caller, scope};

/// Sets the request's [`Call`](crate::caller::Call), refuses requests forged by other sites, and lets handlers set
/// cookies through `&CookieJar`.
pub struct Identify {
    app: Arc<App>,
}

impl Identify {
    pub fn new(app: Arc<App>) -> Self {
        Self { app }
    }
}

impl<E: Endpoint> Middleware<E> for Identify {
    type Output = CookieJarManagerEndpoint<IdentifyEndpoint<E>>;

    fn transform(&self, inner: E) -> Self::Output {
        CookieJarManager::new().transform(IdentifyEndpoint { app: Arc::clone(&self.app), inner })
    }
}

pub struct IdentifyEndpoint<E> {
    app: Arc<App>,
    inner: E,
}

impl<E: Endpoint> Endpoint for IdentifyEndpoint<E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        let accounts = &self.app.accounts;
        let (session, device) = {
            let cookies = Cookies::new(accounts, request.cookie());
            (cookies.session(), cookies.device())
        };
        let call = accounts.identify(&request, session.as_deref(), device.as_deref()).await.map_err(ApiError::from)?;
        Span::current().record("caller", call.caller.kind());
        if let Caller::User(identity) = &call.caller {
            Span::current().record("user_id", display(identity.user_id));
            Span::current().record("session_id", display(identity.session_id));
        }
        let needed = scope::of_request(request.method(), request.original_uri().path());
        call.caller.has_scope(needed).map_err(ApiError::from)?;
        request.set_data(call);
        self.inner.call(request).await.map(IntoResponse::into_response)
    }
}
