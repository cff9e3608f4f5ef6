//! What the public pages need to know.

answer! {
    /// Who runs this server and where its public pages lead. What the operator left out is absent.
    pub struct SiteAnswer {
        pub operator_name: Option<String>,
        /// A mail address or a URL.
        pub operator_contact: Option<String>,
        pub ios_app_url: Option<String>,
        pub android_app_url: Option<String>,
        /// Where identities are verified.
        pub kyc_url: Option<String>,
    }
}
