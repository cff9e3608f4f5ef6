//! The cookies of a browser: its session, its device, the CSRF token.

use std::time::Duration;

use chrono::{DateTime, Utc};
use poem::web::cookie::{Cookie, CookieJar, SameSite};

use super::{Accounts, csrf, csrf::Binding, session::IssuedSession, token};
use crate::caller::Caller;

/// The longest life of a cookie that browsers grant.
const DEVICE_LIFE: Duration = Duration::from_secs(400 * 86_400);

/// A session's cookie: over HTTPS bound to this host and to the whole of it by its prefix.
pub fn session_name(secure: bool) -> &'static str {
    if secure { "__Host-morpion_session" } else { "morpion_session" }
}

/// Identifies the browser: for visitors' CSRF tokens, and as a device that signed in before.
pub fn device_name(secure: bool) -> &'static str {
    if secure { "__Host-morpion_device" } else { "morpion_device" }
}

/// The cookies of a request; new ones are set with its response.
pub struct Cookies<'a> {
    accounts: &'a Accounts,
    jar: &'a CookieJar,
}

impl<'a> Cookies<'a> {
    pub fn new(accounts: &'a Accounts, jar: &'a CookieJar) -> Self {
        Self { accounts, jar }
    }

    /// The session's token, if there is one.
    pub fn session(&self) -> Option<String> {
        self.get(session_name(self.accounts.is_secure()))
    }

    /// The device cookie, if there is one.
    pub fn device(&self) -> Option<String> {
        self.get(device_name(self.accounts.is_secure()))
    }

    fn get(&self, name: &str) -> Option<String> {
        self.jar.get(name).map(|cookie| cookie.value_str().to_owned()).filter(|value| token::is_plausible(value))
    }

    /// The device cookie, set now if there was none.
    pub fn ensure_device(&self) -> String {
        self.device().unwrap_or_else(|| {
            let device = token::new();
            self.set(device_name(self.accounts.is_secure()), device.clone(), Some(DEVICE_LIFE), true);
            device
        })
    }

    /// Signs the browser in.
    pub fn set_session(&self, issued: &IssuedSession, now: DateTime<Utc>) {
        let life = (issued.ends_at - now).to_std().unwrap_or_default();
        self.set(session_name(self.accounts.is_secure()), issued.token.clone(), Some(life), true);
    }

    /// Signs the browser out.
    pub fn clear_session(&self) {
        self.set(session_name(self.accounts.is_secure()), String::new(), Some(Duration::ZERO), true);
    }

    /// Signs the browser out and gives it a visitor's CSRF token.
    pub fn sign_out(&self) {
        self.clear_session();
        self.set_csrf_token(Binding::Device(&self.ensure_device()));
    }

    /// Makes sure that the browser has a valid CSRF token.
    pub fn ensure_csrf_token(&self, caller: &Caller) {
        let device = self.ensure_device();
        let Some(binding) = binding(caller, Some(&device)) else { return };
        let present = self.jar.get(csrf::COOKIE);
        if !present.is_some_and(|cookie| self.accounts.secret.verify_token(cookie.value_str(), binding)) {
            self.set(csrf::COOKIE, self.accounts.secret.new_token(binding), None, false);
        }
    }

    /// Sets a new CSRF token, after a sign-in or sign-out.
    pub fn set_csrf_token(&self, binding: Binding<'_>) {
        self.set(csrf::COOKIE, self.accounts.secret.new_token(binding), None, false);
    }

    fn set(&self, name: &str, value: String, life: Option<Duration>, http_only: bool) {
        let mut cookie = Cookie::new_with_str(name, value);
        cookie.set_path("/");
        cookie.set_http_only(http_only);
        cookie.set_same_site(SameSite::Lax);
        cookie.set_secure(self.accounts.is_secure());
        if let Some(life) = life {
            cookie.set_max_age(life);
        }
        self.jar.add(cookie);
    }
}

/// An operator token needs no CSRF token, and has none.
pub fn binding<'a>(caller: &Caller, device: Option<&'a str>) -> Option<Binding<'a>> {
    match caller {
        Caller::User(identity) => Some(Binding::Session(identity.session_id)),
        Caller::Visitor => device.map(Binding::Device),
        Caller::Operator(_) => None,
    }
}
