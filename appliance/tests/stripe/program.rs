//! The stand-in for Stripe as a program: `make stripe` starts it together with a server that takes payments from it.

// The objects of Stripe are long.
#![recursion_limit = "256"]

#[path = "mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod stripe;

use std::net::SocketAddr;

use clap::Parser;
use stripe::Stripe;
use tokio::net::TcpListener;

/// A stand-in for Stripe.
#[derive(Parser)]
struct Arguments {
    #[arg(long, default_value = "127.0.0.1:12111")]
    listen: SocketAddr,
    /// Where the events go.
    #[arg(long, default_value = "http://127.0.0.1:8080/api/backend/stripe/webhook")]
    webhook: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let Arguments { listen, webhook } = Arguments::parse();
    let stripe = Stripe::at(TcpListener::bind(listen).await?);
    println!("stand-in for Stripe at {}", stripe.base());
    println!("  keys     {} {} {}", stripe::SECRET_KEY, stripe::PUBLISHABLE_KEY, stripe::WEBHOOK_SECRET);
    println!("  time     curl -d days=32 {}/stand-in/clock", stripe.base());
    println!("  cards    curl -d refuse=true {}/stand-in/cards", stripe.base());
    println!("  look     curl {}/stand-in", stripe.base());
    tokio::select! {
        () = stripe.keep_delivering(webhook, stripe::WEBHOOK_SECRET.to_owned()) => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    Ok(())
}
