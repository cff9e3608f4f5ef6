//! JSON Web Tokens of the provider: ID tokens, and userinfo that is signed. Only what decides is read; every other claim
//! may be missing or have any form.

use std::fmt;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use openidconnect::{
    JsonWebKey, JsonWebKeyAlgorithm, JsonWebKeyUse, JwsSigningAlgorithm,
    core::{CoreJsonWebKey, CoreJsonWebKeySet, CoreJwsSigningAlgorithm as Algorithm},
};
use serde_json::{Map, Value};

/// An ID token has some 1,200 characters, with many groups several thousand; a longer one is rejected.
const MAX_TOKEN: usize = 64 * 1024;

/// Signatures with keys that the provider publishes. Never `none`, and no shared secret.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RsaSsaPkcs1V15Sha256,
    Algorithm::RsaSsaPkcs1V15Sha384,
    Algorithm::RsaSsaPkcs1V15Sha512,
    Algorithm::RsaSsaPssSha256,
    Algorithm::RsaSsaPssSha384,
    Algorithm::RsaSsaPssSha512,
    Algorithm::EcdsaP256Sha256,
    Algorithm::EcdsaP384Sha384,
    Algorithm::EdDsa,
];

/// Google signs with the issuer under either name.
const GOOGLE: [&str; 2] = ["https://accounts.google.com", "accounts.google.com"];

/// Why something that the provider said is refused: the member, and what is wrong with it. Contains no value of a
/// person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) member: &'static str,
    pub(super) why: String,
}

impl Refusal {
    pub(super) fn new(member: &'static str, why: impl Into<String>) -> Self {
        Self { member, why: why.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.member, self.why)
    }
}

/// Why a signature was not verified.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BadSignature {
    /// None of the keys can have made it; the provider may have new ones.
    NoKey,
    Refused(Refusal),
}

/// A token whose signature is still to be verified.
pub(super) struct Jwt {
    algorithm: Algorithm,
    key_id: Option<String>,
    signed: String,
    signature: Vec<u8>,
    claims: Map<String, Value>,
}

impl Jwt {
    pub(super) fn parse(text: &str) -> Result<Self, Refusal> {
        let unreadable = || Refusal::new("the token", "is not a JSON Web Token");
        if text.len() > MAX_TOKEN {
            return Err(Refusal::new("the token", format!("is longer than {MAX_TOKEN} characters")));
        }
        let parts: Vec<&str> = text.trim().split('.').collect();
        if parts.len() == 5 {
            return Err(Refusal::new("the token", "is encrypted, which is not supported"));
        }
        let [header, payload, signature] = parts[..] else { return Err(unreadable()) };
        let decode = |part| BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| unreadable());
        let object = |bytes: Vec<u8>| serde_json::from_slice::<Map<String, Value>>(&bytes).map_err(|_| unreadable());
        let (head, claims) = (object(decode(header)?)?, object(decode(payload)?)?);
        let named = head.get("alg").and_then(Value::as_str).unwrap_or("none");
        let algorithm = serde_json::from_value(named.into()).ok().filter(|found| ALGORITHMS.contains(found));
        let algorithm = algorithm.ok_or_else(|| {
            Refusal::new("alg", format!("is {}, which is not supported", named.chars().take(20).collect::<String>()))
        })?;
        // RFC 7515: who does not understand an extension that is critical refuses the token.
        if head.contains_key("crit") {
            return Err(Refusal::new("crit", "names extensions, of which none is supported"));
        }
        // Access and logout tokens are signed with the same keys and say what they are.
        let kind = head.get("typ").and_then(Value::as_str).unwrap_or("JWT").to_ascii_uppercase();
        if !["JWT", "JOSE"].contains(&kind.trim_start_matches("APPLICATION/")) {
            return Err(Refusal::new("typ", "is that of another kind of token"));
        }
        Ok(Self {
            algorithm,
            key_id: head.get("kid").and_then(Value::as_str).map(str::to_owned),
            signed: format!("{header}.{payload}"),
            signature: decode(signature)?,
            claims,
        })
    }

    /// The claims, if one of the keys made the signature.
    pub(super) fn verify(&self, keys: &CoreJsonWebKeySet) -> Result<&Map<String, Value>, BadSignature> {
        let mut candidates = keys.keys().iter().filter(|key| self.may_be_signed_with(key)).peekable();
        if candidates.peek().is_none() {
            return Err(BadSignature::NoKey);
        }
        // A token without a key id may be signed with any of them.
        let signed = self.signed.as_bytes();
        match candidates.any(|key| key.verify_signature(&self.algorithm, signed, &self.signature).is_ok()) {
            true => Ok(&self.claims),
            false => Err(BadSignature::Refused(Refusal::new("the signature", "is not the provider's"))),
        }
    }

    fn may_be_signed_with(&self, key: &CoreJsonWebKey) -> bool {
        let is_named = self.key_id.is_none() || self.key_id.as_deref() == key.key_id().map(|id| id.as_str());
        let is_for_signatures = key.key_use().is_none_or(JsonWebKeyUse::allows_signature);
        let has_algorithm = match key.signing_alg() {
            JsonWebKeyAlgorithm::Algorithm(algorithm) => *algorithm == self.algorithm,
            JsonWebKeyAlgorithm::Unspecified => true,
            JsonWebKeyAlgorithm::Unsupported => false,
        };
        is_named && is_for_signatures && has_algorithm && self.algorithm.key_type().as_ref() == Some(key.key_type())
    }
}

/// Whether tokens with one of these signatures can be verified, as the provider announces them.
pub(super) fn is_any_supported<'a>(mut algorithms: impl Iterator<Item = &'a str>) -> bool {
    algorithms.any(|named| serde_json::from_value(named.into()).is_ok_and(|found| ALGORITHMS.contains(&found)))
}

/// For whom a token has to be.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client: &'a str,
}

impl Expected<'_> {
    /// Checks who issued a token for whom (OpenID Connect Core, 3.1.3.7, steps 2 to 5).
    pub(super) fn check_parties(&self, claims: &Map<String, Value>) -> Result<(), Refusal> {
        let issuer = text(claims, "iss").ok_or_else(|| Refusal::new("iss", "is missing"))?;
        if issuer != self.issuer && !(GOOGLE.contains(&self.issuer) && GOOGLE.contains(&issuer)) {
            return Err(Refusal::new("iss", format!("is not {}", self.issuer)));
        }
        let audience: Vec<&str> = match claims.get("aud") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => return Err(Refusal::new("aud", "is missing")),
        };
        if !audience.contains(&self.client) {
            return Err(Refusal::new("aud", "does not contain identity.oidc.client_id"));
        }
        // Some providers also name the project and its other clients. Then `azp` says for whom the token was made.
        if audience.iter().any(|named| *named != self.client) && text(claims, "azp") != Some(self.client) {
            return Err(Refusal::new("azp", "is not identity.oidc.client_id, and aud names others too"));
        }
        Ok(())
    }

    /// Checks an ID token, all but its nonce, and returns its subject.
    pub(super) fn check_id_token(&self, claims: &Map<String, Value>, now: DateTime<Utc>) -> Result<String, Refusal> {
        self.check_parties(claims)?;
        match claims.get("exp").and_then(seconds) {
            None => return Err(Refusal::new("exp", "is missing or no time")),
            Some(end) if end <= now.timestamp() as f64 => {
                return Err(Refusal::new("exp", "has passed; the clocks may differ"));
            }
            Some(_) => {}
        }
        subject(claims).ok_or_else(|| Refusal::new("sub", "is missing"))
    }
}

/// Who the claims are of.
pub(super) fn subject(claims: &Map<String, Value>) -> Option<String> {
    match claims.get("sub") {
        Some(Value::String(subject)) if !subject.is_empty() => Some(subject.clone()),
        // A number, as some providers have it; exact ones only.
        Some(Value::Number(number)) if number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

/// A text that is not empty.
pub(super) fn text<'a>(claims: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    claims.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// A number of seconds, which some providers send as text.
pub(super) fn seconds(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    number.is_finite().then_some(number)
}
