//! Accounts from outside: the real server on a port of its own, and browsers that keep cookies.

mod account_deletion;
mod admins;
mod advisories;
mod audit;
mod avatars;
mod breached;
mod calendars;
mod changes;
mod csrf;
mod emails;
mod external_servers;
mod guests;
mod hostile;
mod letters;
mod limited;
mod logs;
mod mailing;
mod moderation;
mod names;
mod passkeys;
mod password_links;
mod people;
mod programs;
mod provider_answers;
mod providers;
mod recovery;
mod second_factor;
mod sessions;
mod several_providers;
mod signing_in;
mod strangers;
#[allow(dead_code, reason = "shared with the tests of play and events, which need more of it")]
mod support;
mod tokens;
