//! Morpion's server: one binary, one store, one port.
//!
//! | module | what it is |
//! |---|---|
//! | [`cli`], [`config`] | the command line; the typed configuration and the source of each value |
//! | [`server`] | accepts connections, runs the background tasks, drains at the end |
//! | [`app`] | builds the parts and restores what was running |
//! | [`http`] | routes, security headers, assets; one file a resource of the API |
//! | [`realtime`] | websockets: upgrade, frame loop |
//! | [`connections`] | who is connected, and the queue of frames of each connection |
//! | [`caller`] | who makes a request, and from where |
//! | [`health`] | whether the store responds |
//! | [`account`] | passwords, sessions, guests, avatars, CSRF protection, rate limits |
//! | [`billing`] | Pro: plans, Stripe, subscriptions, webhooks, the ledger |
//! | [`mail`] | emails, by SMTP or into the outbox folder |
//! | [`play`] | live games: one runtime a game, which applies rules, commits, announces |
//! | [`bots`] | an account becomes a bot: what all parts have to say to it |
//! | [`account_deletion`], [`housekeeping`] | what is left to do after an account was deleted; what is removed after its time |
//! | [`error`], [`api_error`] | errors that every part can have; an error as a caller gets it: a kind, a code and a text |
//! | [`fields`] | a line of text, a reason, an end: what several parts take, checked by one rule |
//! | [`demo`] | accounts, events and simulated players to look at |
//! | [`cluster`] | several servers that are one: replication, who leads, what is passed on |
//! | [`storage`], [`disk`], [`backup`] | the state of the storage engine, for operators; the free disk space; backups |
//! | [`tls`] | the certificate: from files or by ACME, and when it is replaced |
//! | [`metrics`], [`monitoring`], [`history`] | what is counted; what of it is shown to monitoring; its last hour |
//! | [`telemetry`] | traces, for an OpenTelemetry collector |
//! | [`shares`] | what strangers may take of the server, in all and each |
//! | [`process`] | memory, processor time and file descriptors of the process |
//! | [`push`], [`reminders`] | notifications by Web Push; reminders of events |
//! | [`webhooks`] | what happens, told to the servers that admins name |
//! | [`reach`], [`seal`] | addresses that people chose, and which are connected to; secrets as they are stored |
//! | [`events`] | events: their lives, players, queues and results |

pub mod account;
pub mod account_deletion;
pub mod api_error;
pub mod app;
pub mod audit;
pub mod background;
pub mod backup;
pub mod billing;
pub mod bots;
pub mod caller;
pub mod cli;
pub mod clock;
pub mod cluster;
pub mod config;
pub mod connections;
pub mod demo;
pub mod disk;
pub mod dump;
pub mod engine_use;
pub mod error;
pub mod events;
pub mod fields;
pub mod health;
pub mod history;
pub mod housekeeping;
pub mod http;
pub mod logbook;
pub mod logging;
pub mod mail;
pub mod metrics;
pub mod monitoring;
pub mod people;
pub mod play;
mod private_file;
pub mod process;
pub mod push;
pub mod quick_match;
pub mod ratings;
pub mod reach;
pub mod realtime;
pub mod reminders;
pub mod scope;
pub mod seal;
pub mod server;
pub mod shares;
pub mod storage;
mod subject;
pub mod telemetry;
pub mod tls;
pub mod webhooks;
