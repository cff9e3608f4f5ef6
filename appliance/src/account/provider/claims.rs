//! What the provider says of a person, in the ID token and at userinfo.

use morpion_store::ProviderLink;
use serde_json::{Map, Value};

use super::jwt::{Refusal, text};
use crate::{
    account::names::{Email, PersonName},
    config::OidcIdentity,
};

/// What is refused about somebody whose groups are not told.
pub(super) const GROUPS_CLAIM: &str = "identity.oidc.groups_claim";

/// Who somebody is, as the provider says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    pub link: ProviderLink,
    pub email: Email,
    /// Whether the provider vouches for the email. If not, it says nothing about it, and the operator allows that.
    pub email_verified: bool,
    /// The first of their groups whose members are admins.
    pub admin_group: Option<String>,
    pub first_name: PersonName,
    pub last_name: PersonName,
    /// The full name.
    pub name: Option<String>,
}

impl Claims {
    /// Reads the claims, those of the ID token first. `accept_missing` is about `email_verified`.
    pub(super) fn read(
        link: ProviderLink,
        told: &[&Map<String, Value>],
        accept_missing: bool,
        admin_group: Option<String>,
    ) -> Result<Self, Refusal> {
        let first = |member| told.iter().find_map(|claims| text(claims, member));
        let email = first("email").ok_or_else(|| Refusal::new("email", "is missing"))?;
        let mut verified = None;
        for claims in told {
            // It is about the email beside it.
            if verified.is_none() && text(claims, "email").is_some_and(|it| it.eq_ignore_ascii_case(email)) {
                verified = email_verified(claims)?;
            }
        }
        match verified {
            Some(false) => return Err(Refusal::new("email_verified", "is false")),
            None if !accept_missing => return Err(Refusal::new("email_verified", "is missing")),
            _ => {}
        }
        // Names that we do not accept are left out; they can be entered in the settings.
        let name = |member| PersonName::parse(first(member).unwrap_or_default()).unwrap_or_default();
        Ok(Self {
            link,
            email: Email::parse(email).map_err(|_| Refusal::new("email", "is not an address that can be used"))?,
            email_verified: verified.is_some(),
            admin_group,
            first_name: name("given_name"),
            last_name: name("family_name"),
            name: first("name").map(str::to_owned),
        })
    }
}

/// Whether these claims leave nothing open that decides.
pub(super) fn are_complete(claims: &Map<String, Value>, config: &OidcIdentity) -> bool {
    let asks_for_groups = !config.allowed_groups.is_empty() || !config.admin_groups.is_empty();
    let has_groups = !asks_for_groups || name_groups(claims, config);
    text(claims, "email").is_some() && !matches!(email_verified(claims), Ok(None)) && has_groups
}

/// Whether these claims say in which groups somebody is.
pub(super) fn name_groups(claims: &Map<String, Value>, config: &OidcIdentity) -> bool {
    groups(claims, &config.groups_claim).is_some()
}

/// In which of the configured groups somebody is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Membership {
    /// May sign in.
    pub(super) is_allowed: bool,
    /// The first of their groups whose members are admins.
    pub(super) admin_group: Option<String>,
}

/// What the groups of somebody with these claims, those of the ID token first, allow. Without the claim nobody is a member.
///
/// # Errors
/// There is no such claim, and only members may sign in.
pub(super) fn membership(told: &[&Map<String, Value>], config: &OidcIdentity) -> Result<Membership, Refusal> {
    let named = told.iter().find_map(|claims| groups(claims, &config.groups_claim));
    let is_open = config.allowed_groups.is_empty();
    if named.is_none() && !is_open {
        return Err(Refusal::new(GROUPS_CLAIM, "names a claim that is missing"));
    }
    let named = named.unwrap_or_default();
    let one_of = |wanted: &[String]| wanted.iter().find(|one| named.contains(&one.as_str())).cloned();
    let is_allowed = is_open || one_of(&config.allowed_groups).is_some();
    Ok(Membership { is_allowed, admin_group: one_of(&config.admin_groups) })
}

/// The names of a claim: a list of texts or of objects with a name, one text, or an object whose keys are names, unless the value
/// is false or null. One text is one name, whatever is in it. `None` if the claim is missing or only says where it is (OpenID
/// Connect Core, 5.6.2): providers do both for somebody in very many groups.
fn groups<'a>(claims: &'a Map<String, Value>, claim: &str) -> Option<Vec<&'a str>> {
    if claims.get("_claim_names").and_then(|elsewhere| elsewhere.get(claim)).is_some() {
        return None;
    }
    // Names of claims may have dots themselves, as addresses do.
    let nested = || {
        let (outer, inner) = claim.split_once('.')?;
        claims.get(outer)?.get(inner)
    };
    match claims.get(claim).or_else(nested)? {
        Value::Null => None,
        Value::String(name) => Some(vec![name]),
        Value::Object(names) => {
            let holds = |is: &Value| !matches!(is, Value::Bool(false) | Value::Null);
            Some(names.iter().filter(|(_, is)| holds(is)).map(|(name, _)| name.as_str()).collect())
        }
        Value::Array(names) => {
            let name = |entry: &'a Value| entry.as_str().or_else(|| entry.get("name")?.as_str());
            Some(names.iter().filter_map(name).collect())
        }
        Value::Bool(_) | Value::Number(_) => Some(vec![]),
    }
}

/// Some providers send a text, or a number.
fn email_verified(claims: &Map<String, Value>) -> Result<Option<bool>, Refusal> {
    let Some(value) = claims.get("email_verified").filter(|value| !value.is_null()) else { return Ok(None) };
    match value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_ascii_lowercase()).as_str() {
        "true" | "1" => Ok(Some(true)),
        "false" | "0" => Ok(Some(false)),
        "" => Ok(None),
        _ => Err(Refusal::new("email_verified", "is neither true nor false")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(token: Value, userinfo: Value, accept_missing: bool) -> Result<(String, bool), String> {
        let link = ProviderLink { iss: "https://id.example.org".to_owned(), sub: "1".to_owned() };
        let told = [token.as_object().unwrap(), userinfo.as_object().unwrap()];
        let read = Claims::read(link, &told, accept_missing, None);
        read.map(|claims| (claims.email.as_str().to_owned(), claims.email_verified)).map_err(|error| error.to_string())
    }

    #[test]
    fn groups_in_every_form_make_members_and_a_claim_that_is_missing_or_elsewhere_nobody() {
        let config = crate::config::Config::default().identity.oidc;
        let of = |allowed: &[&str], admins: &[&str], claims: Value| {
            let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
            let config = OidcIdentity { allowed_groups: texts(allowed), admin_groups: texts(admins), ..config.clone() };
            membership(&[claims.as_object().unwrap()], &config)
                .map(|Membership { is_allowed, admin_group }| (is_allowed, admin_group.is_some()))
                .map_err(|refusal| refusal.to_string())
        };
        let many: Vec<String> = (0..500).map(|number| format!("group-{number}")).chain(["board".to_owned()]).collect();
        for groups in [json!("board"), json!(["x", "board"]), json!([{ "name": "board" }]), json!({ "board": {} })] {
            assert_eq!(of(&[], &["board"], json!({ "groups": groups })), Ok((true, true)), "{groups}");
            assert_eq!(of(&["board"], &[], json!({ "groups": groups })), Ok((true, false)), "{groups}");
            assert_eq!(of(&["club"], &["board"], json!({ "groups": groups })), Ok((false, true)), "{groups}");
        }
        assert_eq!(of(&["club", "board"], &["board"], json!({ "groups": many })), Ok((true, true)));
        for none in [
            json!("Board"),
            json!("x,board"),
            json!([]),
            json!([7, null, ["board"]]),
            json!(true),
            json!({ "board": false }),
        ] {
            assert_eq!(of(&[], &["board"], json!({ "groups": none })), Ok((true, false)), "{none}");
        }
        let elsewhere = json!({ "groups": ["board"], "_claim_names": { "groups": "src1" } });
        let missing = Err("identity.oidc.groups_claim names a claim that is missing".to_owned());
        for claims in [json!({}), json!({ "groups": null }), elsewhere] {
            assert_eq!(of(&[], &["board"], claims.clone()), Ok((true, false)), "{claims}");
            assert_eq!(of(&["board"], &["board"], claims.clone()), missing, "{claims}");
        }
        assert_eq!(of(&[], &[], json!({ "groups": [""] })), Ok((true, false)), "an empty list grants nothing");
    }

    #[test]
    fn email_verified_decides_in_every_form_that_providers_send() {
        let ada = |verified: Value| json!({ "email": "ada@example.org", "email_verified": verified });
        for (sent, expected) in [
            (json!(true), Ok(true)),
            (json!("true"), Ok(true)),
            (json!("True"), Ok(true)),
            (json!(1), Ok(true)),
            (json!(false), Err("email_verified is false")),
            (json!("false"), Err("email_verified is false")),
            (json!(null), Err("email_verified is missing")),
            (json!(""), Err("email_verified is missing")),
            (json!("perhaps"), Err("email_verified is neither true nor false")),
            (json!({}), Err("email_verified is neither true nor false")),
        ] {
            let read = read(ada(sent.clone()), json!({}), false).map(|(_, verified)| verified);
            assert_eq!(read, expected.map_err(str::to_owned), "{sent}");
        }
        let missing = json!({ "email": "ada@example.org" });
        assert_eq!(read(missing.clone(), json!({}), true), Ok(("ada@example.org".to_owned(), false)));
        assert_eq!(read(ada(json!(false)), json!({}), true), Err("email_verified is false".to_owned()));
        assert_eq!(read(missing.clone(), ada(json!(true)), false), Ok(("ada@example.org".to_owned(), true)));
        let other = json!({ "email": "eve@example.org", "email_verified": true });
        assert_eq!(read(missing, other, false), Err("email_verified is missing".to_owned()), "of another email");
        assert_eq!(read(json!({}), json!({ "email_verified": true }), true), Err("email is missing".to_owned()));
        let odd = json!({ "email": "ada", "email_verified": true });
        assert_eq!(read(odd, json!({}), false), Err("email is not an address that can be used".to_owned()));
    }
}
