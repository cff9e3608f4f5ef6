use proptest::prelude::*;

use super::*;
use crate::account::names::{DisplayName, Username};

fn refused(name: &str) -> Option<String> {
    NameRules::default().allow(name).err()
}

#[test]
fn reserved_names_are_refused_however_they_are_written() {
    for name in [
        "admin",
        "ADMIN",
        "4dm1n",
        "a.d.m.i.n",
        "A d m i n",
        "_admin_",
        "admin1",
        "Admin2024",
        "4dm1n99",
        "r00t",
        "guest",
        "m0rp10n",
        "Rnoderator",
        "$upport",
        "Morpion Support",
        "Ann Admin",
        "Deleted Player",
        // Other scripts, other letters, combining marks.
        "аdmin",
        "Аdmіn",
        "ΑDΜΙΝ",
        "ádmin",
        "a\u{301}dmin",
        "ａｄｍｉｎ Team",
        "𝐚𝐝𝐦𝐢𝐧",
        "ⓐⓓⓜⓘⓝ",
        "a\u{336}d\u{336}m\u{336}i\u{336}n\u{336}",
        "dеleted_player",
        "🦉Admin",
        // A display name refuses these by itself.
        "adm\u{200B}in",
        "\u{202E}admin",
        "\u{2066}admin\u{2069}",
    ] {
        assert_eq!(refused(name).as_deref(), Some("This name is reserved. Please choose another."), "{name:?}");
    }
}

#[test]
fn offensive_names_are_refused_however_they_are_written() {
    for name in [
        "fuck",
        "Fuck_You",
        "f.u.c.k",
        "FUCKER99",
        "fuuuck",
        "sh1t",
        "b1tch",
        "n1gger",
        "N.I.G.G.E.R",
        "c_u_n_t",
        "a55hole",
        "faggot",
        "AdolfHitler",
        "heil.hitler",
        "pu55y",
        "whore",
        "motherfucker",
        "kys",
        "niggеr",
        "ｆｕｃｋ",
        "fück",
        "f\u{336}u\u{336}c\u{336}k",
        "𝓯𝓾𝓬𝓴",
        "сука",
    ] {
        assert_eq!(refused(name).as_deref(), Some(OFFENSIVE), "{name:?}");
    }
}

#[test]
fn innocent_names_are_allowed() {
    for name in [
        "Scunthorpe",
        "Cocks",
        "Shital",
        "Shital Shah",
        "Dikshit",
        "Fanny",
        "Willy Wang",
        "Randy",
        "Bich Ngoc",
        "Dung",
        "Butt",
        "Suk",
        "Kok",
        "Cumberbatch",
        "Cox",
        "Hoare",
        "Semen",
        "Fuk",
        "Nigar",
        "Nigel",
        "Negro",
        "Pornthip",
        "Titi",
        "Sexwale",
        "Spick",
        "Coon",
        "Kaka",
        "Hussey",
        "Analisa",
        "Rapp",
        "Gaye",
        "Johnson",
        "Peter",
        "Rod",
        "Woody",
        "Pusey",
        "Shiitake",
        "Assmann",
        "Fukuda",
        "Fukui",
        "Takeshita",
        "Kuntz",
        "Kunt",
        "Kock",
        "Dyke",
        "Dykes",
        "Van Dyke",
        "Muhammad",
        "Lolita",
        "Penn",
        "Cherry Poon",
        "Knobloch",
        "Seaman",
        "Lipschitz",
        "Xi Ting Shi",
        "Nishit",
        "Rakshit",
        "Harshit",
        "Mohit",
        "Cockshott",
        "Glasscock",
        "Alcock",
        "Babcock",
        "Peacock",
        "Adcock",
        "Handcock",
        "Cuntz",
        "Cumming",
        "Cumhur",
        "Cuming",
        "Rapeti",
        "Grope",
        "Tushar",
        "Fakir",
        "Fuchsova",
        "Focke",
        "Focker",
        "Fokker",
        "Fick",
        "Pinto",
        "Coulon",
        "Anusha",
        "Anushka",
        "Slater",
        "Slutzky",
        "Hornyak",
        "Tito",
        "Titz",
        "Sackville",
        "Penistone",
        "Pen Island",
        "Cockburn",
        "Hancock",
        "Hitchcock",
        "Woodcock",
        "Matsushita",
        "Essex",
        "Sussex",
        "Middlesex",
        "Sexton",
        "Cassandra",
        "Assange",
        "Dickens",
        "Dickinson",
        "Dick",
        "Moby Dick",
        "Weiner",
        "Gay",
        "Gaylord",
        "Kuntz",
        "Nguyen Phuc",
        "Hoang",
        "Fuchs",
        "Fagan",
        "Slutsky",
        "Wankhede",
        "Nazim",
        "Cummings",
        "Lightwater",
        "Hooker",
        "Titmuss",
        "Raper",
        "Draper",
        "Arsenal",
        "Arsène",
        "Adolfo",
        "Assad",
        "Faggiano",
        "Putin",
        "Badminton",
        "Damien",
        "Amin",
        "Supporter",
        "Mario",
        "Player",
        "player1234",
        "Łucja",
        "नमस्ते",
        "張偉",
        "Иван",
        "Ольга",
        "محمد",
        "김민수",
        "👩‍👩‍👧",
        "🦉",
        "",
        "1984",
        "007",
        "___",
    ] {
        assert_eq!(refused(name), None, "{name:?}");
    }
}

#[test]
fn numbered_names_that_the_server_makes_are_allowed() {
    let rules = NameRules::default();
    for number in (1_000..10_000).step_by(101) {
        for name in ["player", "SwiftOtter", "AmberBeaver", "QuietBison", "ZestyTapir"] {
            let name = format!("{name}{number}");
            assert!(rules.allow(name.as_str()).is_ok(), "{name}");
        }
    }
}

#[test]
fn a_host_adds_names_and_a_bad_list_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reserved");
    let mut rules = NameRules::default();
    fs::write(&path, "# ours\n\nMagnus  # the champion\r\n  Deep Blue\n").unwrap();
    rules.add_file(&path).unwrap();
    for name in ["magnus", "MAGNU5", "Deep_Blue", "admin"] {
        assert!(rules.allow(name).is_err(), "{name}");
    }
    assert!(rules.allow("ours").is_ok() && rules.allow("Magnus C").is_ok());

    let mut refused = |content: &[u8]| {
        fs::write(&path, content).unwrap();
        rules.add_file(&path).unwrap_err().to_string()
    };
    for (content, reason) in [
        (&b"good\n...\n"[..], "has no letters or digits in line 2"),
        (b"\xff\xfe", "cannot be read"),
        (&[b'a'; 1 << 21], "is longer than 1 MiB"),
    ] {
        let error = refused(content);
        assert!(error.starts_with("identity.reserved_names_file: ") && error.contains(reason), "{error}");
    }
    let error = rules.add_file(&folder.path().join("none")).unwrap_err().to_string();
    assert!(error.contains("none cannot be read: No such file"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_name_is_decided(text in "\\PC{1,40}") {
        let rules = NameRules::default();
        if let Ok(name) = DisplayName::parse(&text) {
            let _ = rules.allow(name);
        }
    }

    #[test]
    fn separators_and_case_change_nothing(
        name in prop::sample::select(RESERVED.iter().chain(OFFICIAL).copied().collect::<Vec<_>>()),
        upper in any::<u32>(),
        separator in "[_.-]{0,2}",
    ) {
        let letters = name.chars().enumerate().map(|(index, letter)| match upper >> (index % 32) & 1 {
            1 => letter.to_ascii_uppercase(),
            _ => letter,
        });
        let written = letters.map(String::from).collect::<Vec<_>>().join(&separator);
        prop_assert!(refused(&written).is_some(), "{written}");
        if let Ok(username) = Username::parse(&written) {
            prop_assert!(NameRules::default().allow(username).is_err());
        }
    }
}
