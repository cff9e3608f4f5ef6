//! Who is connected, and what each connection still has to be sent; how the sockets are read is `realtime`'s.

pub mod hub;
pub mod outbox;
pub mod travel;
