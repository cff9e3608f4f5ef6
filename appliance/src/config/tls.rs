use serde::Deserialize;

use super::values;

/// The certificate of `server.listen`: from files, by ACME, or none. The default is none.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// May contain `{data_dir}`; read both through [`super::Config::certificate_files`].
    #[serde(deserialize_with = "values::path")]
    pub cert_file: String,
    #[serde(deserialize_with = "values::path")]
    pub key_file: String,
    pub acme: Acme,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acme {
    /// Lower case. Empty: certificates are not asked for.
    #[serde(deserialize_with = "values::domains")]
    pub domains: Vec<String>,
    /// Empty: the account has none.
    #[serde(deserialize_with = "values::optional_address")]
    pub contact: String,
    #[serde(deserialize_with = "values::issuer")]
    pub directory_url: String,
    #[serde(deserialize_with = "values::path")]
    pub ca_file: String,
}

impl Tls {
    pub fn is_on(&self) -> bool {
        !self.cert_file.is_empty() || !self.key_file.is_empty() || self.acme.is_on()
    }
}

impl Acme {
    pub fn is_on(&self) -> bool {
        !self.domains.is_empty()
    }
}
