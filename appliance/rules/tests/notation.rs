//! Games as text: what is written is read back, and what the rules refuse is refused.

mod support;

use morpion_rules::notation::{Fault, MAX_FILE, MAX_GAME, MAX_TAGS, MAX_VALUE, Notation, NotedRound, Score, Tag};
use morpion_rules::{Board, BoardSize, Command, Game, Mark};
use proptest::prelude::*;
use support::{START, cell, draw_round, drawn_cells, event, invite, play, quick, size, user};

fn names() -> Vec<Tag> {
    vec![Tag::new("X", "ada"), Tag::new("O", "bob")]
}

/// The text with these moves behind the tags.
fn with_moves(score: &str, moves: &str) -> String {
    format!("[X \"ada\"]\n[O \"bob\"]\n[Result \"{score}\"]\n\n{moves}\n{score}\n")
}

fn fault(text: &str) -> (Fault, usize) {
    let error = Notation::parse(text).expect_err(text);
    (error.fault, error.line)
}

#[test]
fn a_won_game_is_written_as_the_document_shows_it() {
    let mut game = invite(3, Mark::X);
    for (turn, at) in [(1, 1), (0, 0), (0, 2), (2, 2), (2, 0)].into_iter().enumerate() {
        let mark = if turn % 2 == 0 { Mark::X } else { Mark::O };
        game.apply(&play(mark, cell(at.0, at.1)), START + 1).unwrap();
    }
    let mut about = vec![Tag::new("Event", "The \"Friday\" Cup \\ 1")];
    about.extend(names());
    let written = Notation::of(&game, about).to_string();
    let expected = r#"[Event "The \"Friday\" Cup \\ 1"]
[X "ada"]
[O "bob"]
[Result "1-0"]
[Reason "line"]
[BoardSize "3"]
[LineLength "3"]
[TimeControl "none"]

1. 3x3 X b2 a1 c1 c3 a3
1-0
"#;
    assert_eq!(written, expected);
    let read = Notation::parse(&written).unwrap();
    assert_eq!(read.value("Event"), Some("The \"Friday\" Cup \\ 1"));
    assert_eq!(read.to_string(), written);
}

#[test]
fn an_event_game_is_written_with_its_rounds_on_growing_boards() {
    let mut game = event(3, Mark::O);
    let mut now = START;
    for _ in 0..3 {
        now = draw_round(&mut game, now, [1_000, 2_000]);
    }
    // The fourth round was begun, and no move made in it.
    game.apply(&Command::Forfeit { user: user(Mark::O) }, now + 1).unwrap();
    let notation = Notation::of(&game, names());
    let rounds: Vec<_> = notation.rounds.iter().map(|round| (round.size.get(), round.starter)).collect();
    assert_eq!(rounds, [(3, Mark::O), (3, Mark::X), (4, Mark::O)]);
    assert_eq!((notation.value("Rounds"), notation.value("BoardSize")), (Some("3"), Some("3")));
    assert_eq!((notation.score, notation.value("Reason")), (Score::Won(Mark::X), Some("forfeit")));
    assert_eq!(Notation::parse(&notation.to_string()).unwrap(), notation);

    let mut longest = event(5, Mark::X);
    let mut now = START;
    for _ in 0..5 {
        now = draw_round(&mut longest, now, [1_000, 2_000]);
    }
    let notation = Notation::of(&longest, names());
    let sizes: Vec<_> = notation.rounds.iter().map(|round| round.size.get()).collect();
    assert_eq!((sizes, notation.value("Reason")), (vec![5, 5, 6, 6, 6], Some("time")));
    assert_eq!(Notation::parse(&notation.to_string()).unwrap(), notation);
}

#[test]
fn games_without_moves_and_without_a_result_are_written_too() {
    let mut left = quick(4, morpion_rules::clock::TimeControl::Increment);
    left.apply(&Command::Forfeit { user: user(Mark::X) }, START + 1).unwrap();
    let mut void = event(6, Mark::X);
    void.apply(&Command::Void, START + 1).unwrap();
    let mut drawn = invite(3, Mark::O);
    draw_round(&mut drawn, START, [1, 1]);
    for (game, score, size, control) in
        [(left, "0-1", "4", "1+2"), (void, "*", "6", "turn15"), (drawn, "1/2-1/2", "3", "none")]
    {
        let notation = Notation::of(&game, names());
        let values = ["Result", "BoardSize", "TimeControl"].map(|name| notation.value(name));
        assert_eq!(values, [Some(score), Some(size), Some(control)]);
        assert_eq!(Notation::parse(&notation.to_string()).unwrap(), notation);
    }
}

#[test]
fn moves_that_the_rules_refuse_are_refused_with_their_line() {
    for (moves, score, expected) in [
        ("1. 3x3 X b2 b2", "*", Fault::Move),
        ("1. 3x3 X a4", "*", Fault::Move),
        ("1. 3x3 X g1", "*", Fault::Move),
        ("1. 3x3 X a0", "*", Fault::Move),
        ("1. 3x3 X b2b3", "*", Fault::Move),
        ("1. 3x3 X B2", "*", Fault::Move),
        ("1. 3x3 X", "*", Fault::Move),
        ("1. 3x3 X a1 a2 b1 b2 c1 c2", "1-0", Fault::AfterLine),
        ("1. 7x7 X a1", "*", Fault::Round),
        ("1. 3x4 X a1", "*", Fault::Round),
        ("1. 3x3 Z a1", "*", Fault::Round),
        ("2. 3x3 X a1", "*", Fault::Round),
        ("b2", "*", Fault::Round),
        ("1. 3x3 X a1\n2. 3x3 O a1", "*", Fault::RoundNotDrawn),
        ("1. 3x3 X a1 a2 b1 b2 c1", "0-1", Fault::Result),
        ("1. 3x3 X a1 a2 b1 b2 c1", "*", Fault::Result),
        ("1. 3x3 X a1 a2", "1/2-1/2", Fault::Result),
        ("", "1/2-1/2", Fault::Result),
    ] {
        let (found, line) = fault(&with_moves(score, moves));
        assert_eq!(found, expected, "{moves}");
        assert!((5..=7).contains(&line), "{moves}: line {line}");
    }
}

/// A round that fills its board without a line.
fn drawn(side: u8, starter: Mark) -> NotedRound {
    let [first, second] = drawn_cells(side);
    let turn = |ply: usize| if ply.is_multiple_of(2) { first[ply / 2] } else { second[ply / 2] };
    NotedRound { size: size(side), starter, cells: (0..size(side).cells() as usize).map(turn).collect() }
}

#[test]
fn rounds_follow_from_each_other() {
    let of = |rounds: &[(u8, Mark)], score| {
        let rounds = rounds.iter().map(|(side, starter)| drawn(*side, *starter)).collect();
        let mut tags = names();
        tags.push(Tag::new("Result", Score::as_str(score)));
        Notation { tags, rounds, score }.to_string()
    };
    use Mark::{O, X};
    let five = [(3, X), (3, O), (4, X), (4, O), (5, X)];
    assert!(Notation::parse(&of(&five, Score::Won(O))).is_ok());
    let more = [&five[..], &[(5, O)]].concat();
    assert_eq!(fault(&of(&more, Score::Won(O))).0, Fault::TooManyRounds);
    assert_eq!(fault(&of(&[(3, X), (3, X)], Score::Won(O))).0, Fault::Starter);
    assert_eq!(fault(&of(&[(3, X), (4, O)], Score::Won(O))).0, Fault::Size);
    assert_eq!(fault(&of(&[(3, X), (3, O), (3, X)], Score::Won(O))).0, Fault::Size);
    assert_eq!(fault(&of(&[(3, X), (3, O)], Score::Drawn)).0, Fault::Result, "only a game of one round is drawn");
}

#[test]
fn tags_are_read_strictly() {
    let with = |tags: &str| format!("{tags}\n[X \"ada\"]\n[O \"bob\"]\n[Result \"*\"]\n\n1. 3x3 X a1\n*\n");
    let known = "[Event \"Cup\"]\r\n[ Own_1\t\"\"  ]";
    let read = Notation::parse(&format!("\u{FEFF}{}", with(known).replace('\n', "\r\n"))).unwrap();
    assert_eq!((read.value("Event"), read.value("Own_1"), read.value("None")), (Some("Cup"), Some(""), None));
    let long = format!("[Long \"{}\"]", "\u{e9}".repeat(MAX_VALUE));
    assert!(Notation::parse(&with(&long)).is_ok());
    for wrong in [
        "[Event]",
        "[Event \"Cup]",
        "[Event \"Cup\"",
        "[Event \"Cup\" more]",
        "[Ev ent \"Cup\"]",
        "[Event \"a\\n\"]",
        "[Event \"a\\",
        "[Event \"a\nb\"]",
        "[Event \"a\u{202E}b\"]",
        "[\"Cup\"]",
        "[Event \"a\"b\"]",
        &long.replace("]", "").replace("\"", "\"more"),
    ] {
        assert_eq!(fault(&with(wrong)).0, Fault::Tag, "{wrong}");
    }
    assert_eq!(fault(&with("[X \"eve\"]")).0, Fault::TagTwice);
    let many: String = (0..MAX_TAGS).map(|number| format!("[T{number} \"\"]\n")).collect();
    assert_eq!(fault(&with(&many)).0, Fault::TooManyTags);
    assert_eq!(fault("[O \"bob\"]\n[Result \"*\"]\n*").0, Fault::NoTag("X"));
    assert_eq!(fault("[X \"ada\"]\n[O \"bob\"]\n[Result \"1-0\"]\n*").0, Fault::TagContradicts("Result"));
    for (tag, name) in
        [("BoardSize \"4\"", "BoardSize"), ("LineLength \"4\"", "LineLength"), ("Rounds \"2\"", "Rounds")]
    {
        assert_eq!(fault(&with(&format!("[{tag}]"))).0, Fault::TagContradicts(name));
    }
}

#[test]
fn a_file_has_games_one_after_another_and_a_bound() {
    let one = with_moves("1-0", "1. 3x3 X a1 a2 b1 b2 c1");
    let games = Notation::parse_all(&format!("{one}\n{one}{one}")).unwrap();
    assert_eq!(games.len(), 3);
    assert_eq!(Notation::parse_all(" \r\n").unwrap(), []);
    assert_eq!(fault(&format!("{one}{one}")).0, Fault::MoreThanOne);
    assert_eq!(fault(""), (Fault::NoResult, 1));
    let error = Notation::parse_all(&format!("{one}\n{}", one.replace("c1", "c4"))).unwrap_err();
    assert_eq!(error.to_string(), "Line 12: a move is a free cell of the board, such as b2.");
    assert_eq!(fault(&" ".repeat(MAX_GAME + 1)).0, Fault::TooLong);
    assert_eq!(Notation::parse_all(&" ".repeat(MAX_FILE + 1)).unwrap_err().fault, Fault::TooLong);
    let padded = one.replace("1. ", &format!("{}1. ", " ".repeat(MAX_GAME)));
    assert_eq!(Notation::parse_all(&padded).unwrap_err().fault, Fault::TooLong);
}

/// A round of random moves, to its end or shorter.
fn random_round(side: u8, starter: Mark) -> impl Strategy<Value = NotedRound> {
    let board = size(side);
    let cells = Board::empty(board).empty_cells().collect::<Vec<_>>();
    (Just(cells).prop_shuffle(), 1..=board.cells() as usize).prop_map(move |(cells, most)| {
        let (mut at, mut mark, mut played) = (Board::empty(board), starter, vec![]);
        for cell in cells.into_iter().take(most) {
            if at.winning_line().is_some() {
                break;
            }
            at = at.place(cell, mark).unwrap();
            mark = mark.other();
            played.push(cell);
        }
        NotedRound { size: board, starter, cells: played }
    })
}

fn board_of(round: &NotedRound) -> Board {
    let mut mark = round.starter;
    round.cells.iter().fold(Board::empty(round.size), |board, cell| {
        let next = board.place(*cell, mark).unwrap();
        mark = mark.other();
        next
    })
}

/// Any game: some drawn rounds and a last one, with tags of any characters.
fn any_notation() -> impl Strategy<Value = Notation> {
    let starter = prop_oneof![Just(Mark::X), Just(Mark::O)];
    (3..=6u8, 0..5usize, starter)
        .prop_flat_map(|(side, drawn_before, first)| {
            let (mut side, mut starter, mut rounds) = (side, first, vec![]);
            for number in 1..=drawn_before {
                rounds.push(drawn(side, starter));
                starter = starter.other();
                side = if number % 2 == 0 { (side + 1).min(6) } else { side };
            }
            let values = prop::collection::vec(any::<String>(), 3);
            let score = prop::sample::select(vec![Score::Won(Mark::X), Score::Won(Mark::O), Score::None]);
            (Just(rounds), random_round(side, starter), values, score)
        })
        .prop_map(|(mut rounds, last, values, score)| {
            let end = board_of(&last);
            rounds.push(last);
            let score = match end.winning_line() {
                Some((mark, _)) => Score::Won(mark),
                None if end.is_full() && rounds.len() == 1 => Score::Drawn,
                None => score,
            };
            let names = ["X", "O", "Event", "Result"];
            let values = values.iter().map(String::as_str).chain([score.as_str()]);
            let tags = names.into_iter().zip(values).map(|(name, value)| Tag::new(name, value)).collect();
            Notation { tags, rounds, score }
        })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(notation in any_notation()) {
        let text = notation.to_string();
        prop_assert!(text.len() <= MAX_GAME);
        prop_assert_eq!(Notation::parse(&text), Ok(notation.clone()));
        let twice = format!("{text}\n{text}");
        prop_assert_eq!(Notation::parse_all(&twice), Ok(vec![notation.clone(), notation]));
    }

    #[test]
    fn whatever_is_read_is_a_game_that_is_written_so(text in "(\\[[XOR][a-z]* \"[01*-]*\"\\]\\s)*(1\\. [34]x[34] [XO]( [a-d][1-4])*\\s)?(1-0|\\*)?") {
        if let Ok(notation) = Notation::parse(&text) {
            prop_assert_eq!(Notation::parse(&notation.to_string()), Ok(notation));
        }
    }

    #[test]
    fn a_game_is_written_as_it_was_played(choices in prop::collection::vec(any::<prop::sample::Index>(), 1..120), side in 3..=6u8) {
        let mut game: Game = event(side, Mark::X);
        for (turn, choice) in choices.iter().enumerate() {
            let Some(mark) = game.to_move() else { break };
            let free: Vec<_> = game.board().empty_cells().collect();
            game.apply(&play(mark, *choice.get(&free)), START + turn as i64).unwrap();
        }
        if game.to_move().is_some() {
            game.apply(&Command::Forfeit { user: user(Mark::X) }, START + 1_000).unwrap();
        }
        let notation = Notation::of(&game, names());
        let moves: usize = notation.rounds.iter().map(|round| round.cells.len()).sum();
        prop_assert_eq!(moves, game.history().len());
        prop_assert!(notation.rounds.iter().all(|round| BoardSize::ALL.contains(&round.size)));
        prop_assert_eq!(Notation::parse(&notation.to_string()), Ok(notation));
    }
}
