//! Who is connected, and what each connection still has to be sent; how the sockets are read is `realtime`'s.

pub mod handle;
pub mod hub;
pub mod round_trip;
