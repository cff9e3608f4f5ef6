//! Searching for an account by its id, a prefix of it, or its username.

use morpion_openapi::{PageRequest, account::User, admin::ListUsers};
use morpion_shell::reference;

/// Pages that are searched for an id: the server searches by name only.
const MAX_PAGES: u32 = 10;
/// Rows of such a page. One fewer than the maximum distinguishes it from the table's pages.
const LOOKUP_LIMIT: u32 = PageRequest::MAX_LIMIT - 1;

/// The search for an account by its id, a prefix of it, or its username.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserLookup {
    pub text: String,
    page: u32,
}

impl UserLookup {
    pub fn new(text: String) -> Self {
        Self { text, page: 1 }
    }

    pub fn call(&self) -> ListUsers {
        let is_id = reference::is_short_id(&self.text);
        let text = (!is_id).then(|| self.text.clone());
        ListUsers { text, page: Some(self.page), limit: Some(LOOKUP_LIMIT) }
    }

    pub fn is(&self, user: &User) -> bool {
        reference::is_meant(&self.text, &user.user_id.to_string(), &user.username)
    }

    /// The next page to search; `None` after the maximum of pages.
    pub fn next(self, has_next: bool) -> Option<Self> {
        (has_next && self.page < MAX_PAGES).then(|| Self { page: self.page + 1, ..self })
    }
}
