//! Who is connected, and the queue of frames of each connection. The sockets are read in `realtime`.

pub mod announcement;
pub mod frame;
pub mod handle;
pub mod hub;
pub mod outlet;
pub mod round_trip;
