//! The one shape of every failing answer: `docs/behaviour/api.md#answers`.

use std::collections::BTreeMap;

use crate::moderation::Suspension;

answer! {
    /// A call that failed. The HTTP status says the kind, `errorCode` the exact case.
    pub struct Failure {
        /// Always false.
        pub succeeded: bool,
        /// For a person.
        pub error_message: String,
        /// For a program, in kebab-case.
        pub error_code: String,
        /// Found again in the server's log.
        pub request_id: String,
        /// What is wrong with which field, where the status is 422.
        pub field_errors: Option<BTreeMap<String, String>>,
        /// The free plan does not allow it; Pro would (`join_event`).
        pub requires_upgrade: Option<bool>,
        /// Where the account is suspended.
        pub suspension: Option<Suspension>,
    }
}
