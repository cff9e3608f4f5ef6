//! Morpion's server: one binary, one store, one port.
//!
//! | module | what it is |
//! |---|---|
//! | [`cli`], [`config`] | the command line; the typed configuration and where each value came from |
//! | [`app`] | builds the parts, hands them to the transports, drains them at the end |
//! | [`http`] | routes, security headers, assets; one file a resource of the API |
//! | [`realtime`] | websockets: upgrade, connection, hub |
//! | [`account`] | passwords, sessions, guests, avatars, anti-forgery, limits |
//! | [`billing`] | Pro: plans, Stripe, subscriptions, webhooks, the ledger |
//! | [`calendar`] | people's calendars at the provider |
//! | [`mail`] | letters, by SMTP or into the outbox folder |
//! | [`play`] | live games: one table a game, which applies rules, commits, publishes |
//! | [`departure`], [`housekeeping`] | what ends with an account, in every part; what is thrown away after its time |
//! | [`demo`] | accounts, events and simulated players to look at |
//! | [`storage`] | what an operator has to know of the storage engine |
//! | [`tournament`] | events: their lives, players, queues and results |

pub mod account;
pub mod app;
pub mod billing;
pub mod calendar;
pub mod cli;
pub mod clock;
pub mod config;
pub mod demo;
pub mod departure;
pub mod housekeeping;
pub mod http;
pub mod logbook;
pub mod logging;
pub mod mail;
pub mod people;
pub mod play;
pub mod realtime;
pub mod storage;
pub mod tournament;
