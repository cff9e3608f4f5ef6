//! Payments from outside: the real server, a stand-in for Stripe over HTTP, and customers.

// The objects of Stripe are long.
#![recursion_limit = "256"]

mod attacks;
mod buying;
mod cards;
mod documented;
mod keeping;
mod killed;
mod operators;
#[path = "../play/process.rs"]
#[allow(dead_code, reason = "shared with the tests of play, which need more of it")]
mod process;
mod processing;
mod shell;
mod shop;
mod simulation;
#[path = "../stripe/mod.rs"]
#[allow(dead_code, reason = "the program for developers needs more of it")]
mod stripe;
#[path = "../accounts/support.rs"]
#[allow(dead_code, reason = "shared with the tests of accounts, which need more of it")]
mod support;
