//! What the public pages show about this server.

use std::sync::Arc;

use morpion_openapi::site::SiteAnswer;
use poem_openapi::OpenApi;
use url::Url;

use super::{ApiError, body::Answer};
use crate::{app::App, config::Config};

pub struct SiteApi(pub Arc<App>);

#[OpenApi(prefix_path = "/backend")]
impl SiteApi {
    /// Who runs this server, and where its public pages lead.
    #[oai(path = "/site", method = "get", operation_id = "getSite")]
    async fn site(&self) -> Result<Answer<SiteAnswer>, ApiError> {
        Ok(Answer(site_info(&self.0.config)))
    }
}

fn site_info(config: &Config) -> SiteAnswer {
    let given = |text: &String| (!text.is_empty()).then(|| text.clone());
    let link = |url: &Option<Url>| url.as_ref().map(Url::to_string);
    SiteAnswer {
        operator_name: given(&config.operator.name),
        operator_contact: given(&config.operator.contact),
        ios_app_url: link(&config.site.ios_app_url),
        android_app_url: link(&config.site.android_app_url),
        kyc_url: link(&config.site.kyc_url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_operator_left_out_is_absent() {
        assert_eq!(serde_json::to_value(site_info(&Config::default())).unwrap(), serde_json::json!({}));
    }

    #[test]
    fn what_the_operator_set_is_told() {
        let mut config = Config::default();
        config.operator.name = "Ann's games".to_owned();
        config.operator.contact = "ann@example.org".to_owned();
        config.site.kyc_url = Some("https://kyc.example.org/start".parse().unwrap());
        let expected = serde_json::json!({
            "operatorName": "Ann's games",
            "operatorContact": "ann@example.org",
            "kycUrl": "https://kyc.example.org/start",
        });
        assert_eq!(serde_json::to_value(site_info(&config)).unwrap(), expected);
    }
}
