//! What the provider announces: its endpoints, its keys, and how it recognizes us. Only what is used is read, so that
//! nothing else can make the provider unusable.

use std::time::Instant;

use openidconnect::core::CoreJsonWebKeySet;
use serde_json::{Map, Value};
use url::Url;

use super::{
    jwt::{self, text},
    requests::{Failure, Requests},
};

/// How the token and revocation endpoints recognize us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClientAuthentication {
    /// In the `Authorization` header, which is the default.
    Basic,
    /// In the body.
    Post,
}

pub(super) struct Announced {
    /// As the provider spells it, which is how its tokens name it.
    pub(super) issuer: String,
    pub(super) authorization: Url,
    pub(super) token: Url,
    pub(super) userinfo: Option<Url>,
    pub(super) revocation: Option<Url>,
    pub(super) authentication: ClientAuthentication,
    /// Browsers come back with the issuer (RFC 9207).
    pub(super) names_itself: bool,
    pub(super) keys: CoreJsonWebKeySet,
    /// What an operator should know.
    pub(super) notes: Vec<String>,
    pub(super) at: Instant,
}

impl Announced {
    pub(super) async fn fetch(requests: &Requests, issuer: &str) -> Result<Self, Failure> {
        let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let document = requests.get_object(&address, None).await?;
        let mut announced = Self::read(&document, issuer).map_err(Failure::Unusable)?;
        let keys =
            requests.get_object(required(&document, "jwks_uri").map_err(Failure::Unusable)?.as_str(), None).await?;
        // Keys of kinds that the library does not know are left out.
        announced.keys = serde_json::from_value(Value::Object(keys))
            .map_err(|_| Failure::Unusable("jwks_uri leads to no set of keys".to_owned()))?;
        if announced.keys.keys().is_empty() {
            return Err(Failure::Unusable("jwks_uri leads to a set without usable keys".to_owned()));
        }
        Ok(announced)
    }

    fn read(document: &Map<String, Value>, configured: &str) -> Result<Self, String> {
        let issuer = text(document, "issuer").ok_or("issuer is missing")?.to_owned();
        if issuer.contains("{tenantid}") {
            return Err("issuer is a template: write your tenant's id into identity.oidc.issuer".to_owned());
        }
        if issuer.trim_end_matches('/') != configured.trim_end_matches('/') {
            return Err(format!("issuer is {issuer}, not identity.oidc.issuer"));
        }
        let methods: Vec<&str> = names(document, "token_endpoint_auth_methods_supported");
        let can = |method: &str| methods.contains(&method);
        let mut notes = vec![];
        let authentication = match () {
            () if methods.is_empty() || can("client_secret_basic") => ClientAuthentication::Basic,
            () if can("client_secret_post") => ClientAuthentication::Post,
            () => {
                if !can("none") {
                    notes.push(format!(
                        "token_endpoint_auth_methods_supported has neither client_secret_basic nor client_secret_post: {}",
                        methods.join(", ")
                    ));
                }
                ClientAuthentication::Post
            }
        };
        let algorithms = names(document, "id_token_signing_alg_values_supported");
        if !algorithms.is_empty() && !jwt::is_any_supported(algorithms.iter().copied()) {
            notes.push(format!(
                "id_token_signing_alg_values_supported has no algorithm that can be verified: {}",
                algorithms.join(", ")
            ));
        }
        Ok(Self {
            issuer,
            authorization: required(document, "authorization_endpoint")?,
            token: required(document, "token_endpoint")?,
            // Without these there is less to ask, and a grant ends by itself.
            userinfo: address(document, "userinfo_endpoint").unwrap_or_default(),
            revocation: address(document, "revocation_endpoint").unwrap_or_default(),
            authentication,
            names_itself: document.get("authorization_response_iss_parameter_supported") == Some(&Value::Bool(true)),
            keys: CoreJsonWebKeySet::default(),
            notes,
            at: Instant::now(),
        })
    }
}

/// The texts of a list; one text alone is a list of one.
fn names<'a>(document: &'a Map<String, Value>, member: &str) -> Vec<&'a str> {
    match document.get(member) {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(name)) => vec![name],
        _ => vec![],
    }
}

fn required(document: &Map<String, Value>, member: &str) -> Result<Url, String> {
    address(document, member)?.ok_or_else(|| format!("{member} is missing"))
}

/// An address; secrets go there, so that one without TLS is refused, except in tests and on this machine.
fn address(document: &Map<String, Value>, member: &str) -> Result<Option<Url>, String> {
    let Some(text) = text(document, member) else { return Ok(None) };
    let url = Url::parse(text).map_err(|_| format!("{member} is no address"))?;
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match url.scheme() {
        "https" => Ok(Some(url)),
        "http" if is_local => Ok(Some(url)),
        _ => Err(format!("{member} does not begin with https://")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ISSUER: &str = "https://id.example.org";

    fn read(change: Value) -> Result<Announced, String> {
        let mut document = json!({
            "issuer": ISSUER,
            "authorization_endpoint": "https://id.example.org/authorize?policy=club",
            "token_endpoint": "https://id.example.org/token",
            "jwks_uri": "https://id.example.org/keys",
        });
        let members = document.as_object_mut().unwrap();
        members.extend(change.as_object().unwrap().clone());
        Announced::read(members, ISSUER)
    }

    #[test]
    fn members_that_are_not_used_decide_nothing() {
        for odd in [
            json!({}),
            json!({ "op_policy_uri": "", "op_tos_uri": "", "service_documentation": null }),
            json!({ "response_types_supported": "code", "subject_types_supported": null, "scopes_supported": [1] }),
            json!({ "claims_parameter_supported": "true", "ui_locales_supported": "en de" }),
            json!({ "userinfo_endpoint": "", "revocation_endpoint": "" }),
            json!({ "userinfo_endpoint": "/userinfo", "token_endpoint_auth_methods_supported": null }),
            json!({ "issuer": "https://id.example.org/" }),
        ] {
            assert!(read(odd.clone()).is_ok_and(|found| found.userinfo.is_none() && found.notes.is_empty()), "{odd}");
        }
    }

    #[test]
    fn what_is_needed_is_named_when_it_cannot_be_used() {
        for (change, why) in [
            (json!({ "issuer": "https://other.example" }), "issuer is https://other.example, not identity.oidc.issuer"),
            (
                json!({ "issuer": "https://login.example/{tenantid}/v2.0" }),
                "issuer is a template: write your tenant's id into identity.oidc.issuer",
            ),
            (json!({ "token_endpoint": "" }), "token_endpoint is missing"),
            (json!({ "token_endpoint": 1 }), "token_endpoint is missing"),
            (json!({ "token_endpoint": "/token" }), "token_endpoint is no address"),
            (json!({ "token_endpoint": "http://id.example.org/token" }), "token_endpoint does not begin with https://"),
        ] {
            assert_eq!(read(change.clone()).err().as_deref(), Some(why), "{change}");
        }
        let notes = read(json!({ "id_token_signing_alg_values_supported": ["HS256", "none"] })).unwrap().notes;
        assert!(notes[0].starts_with("id_token_signing_alg_values_supported has no algorithm"), "{notes:?}");
    }

    #[test]
    fn the_client_authenticates_as_the_provider_announces() {
        use ClientAuthentication::{Basic, Post};
        for (methods, expected, notes) in [
            (json!(null), Basic, 0),
            (json!(["client_secret_post", "client_secret_basic"]), Basic, 0),
            (json!(["client_secret_post"]), Post, 0),
            (json!("client_secret_post"), Post, 0),
            (json!(["none"]), Post, 0),
            (json!(["private_key_jwt"]), Post, 1),
        ] {
            let found = read(json!({ "token_endpoint_auth_methods_supported": methods })).unwrap();
            assert_eq!((found.authentication, found.notes.len()), (expected, notes), "{methods}");
        }
    }
}
