//! Games as text, which anybody may paste or upload: what is read is written and read again as the same game.

use morpion_rules::notation::Notation;

use crate::runner::Target;

const TOKENS: &[&str] = &[
    "[Event \"",
    "[X \"",
    "\"]",
    "\\\"",
    "\\\\",
    "[Result \"1-0\"]",
    "[BoardSize \"3\"]",
    "[Rounds \"2\"]",
    "\n",
    "\n\n",
    "\r\n",
    "1. 3x3 X ",
    "2. 4x4 O ",
    "6x6",
    "a1 ",
    "b2 ",
    "f6 ",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "\u{feff}",
    "\u{202e}",
];

#[test]
fn a_game_that_is_read_is_written_as_the_same_game() {
    Target { name: "notation", tokens: TOKENS, ..Target::default() }.run(|input| {
        let Ok(text) = str::from_utf8(input) else { return };
        for game in Notation::parse_all(text).unwrap_or_default().into_iter().chain(Notation::parse(text)) {
            assert_eq!(Notation::parse(&game.to_string()), Ok(game));
        }
    });
}
