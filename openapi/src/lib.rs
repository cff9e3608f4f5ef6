//! The contract between Morpion's server, web app and console.
//!
//! Everything that crosses the wire is a type of this crate: the bodies of the HTTP calls, the
//! payloads and answers of the action API, and the messages of the realtime channel. They are read
//! and written with serde; `poem_openapi` derives their schemas, from which `openapi.json`, the
//! typed TypeScript client and the mocks are made.
//!
//! On the wire some names are misspelled (`docs/behaviour/api.md#spelling-on-the-wire`); here they are spelled
//! right and renamed at the edge.
//!
//! | module | what it holds |
//! |---|---|
//! | [`action`] | the action API: `action` + `payload`, and how an unknown one is refused |
//! | [`failure`] | the one shape of every failing answer |
//! | [`account`], [`profile`] | sign-in, sessions, recovery; user profiles |
//! | [`second_factor`] | second factor, passkeys, proofs before sensitive acts |
//! | [`game`], [`event`], [`quick_match`], [`rating`] | games; events, sign-ups, players; opponents outside events; ratings |
//! | [`series`] | series of events |
//! | [`subscription`], [`logger`], [`admin`] | the Pro plan; log records; operators' calls |
//! | [`moderation`] | suspensions, reports, blocks |
//! | [`cluster`] | several servers that are one |
//! | [`engine_use`] | how moves of rated games compare with the solver |
//! | [`player_page`] | players as others see them: results, history, head to head |
//! | [`programs`] | personal tokens, and what each scope may do |
//! | [`webhook`] | webhooks out, and what became of deliveries |
//! | [`site`] | what the public pages say |
//! | [`realtime`] | frames of the websocket |
//! | [`document`] | completes the generated OpenAPI document |

#[macro_use]
mod wire;
pub mod action;

pub mod account;
pub mod admin;
pub mod cluster;
pub mod document;
pub mod engine_use;
pub mod event;
mod exact;
mod example;
pub mod failure;
pub mod game;
pub mod logger;
pub mod moderation;
pub mod notifications;
pub mod player_page;
pub mod profile;
pub mod programs;
pub mod quick_match;
pub mod rating;
pub mod realtime;
pub mod second_factor;
pub mod series;
pub mod site;
pub mod subscription;
mod timestamp;
pub mod webhook;

pub use failure::Failure;
pub use timestamp::Timestamp;
pub use wire::{Acknowledgement, Page, PageRequest, Pagination};
