use std::{fs, os::unix::fs::PermissionsExt};

use tempfile::TempDir;

use super::*;

fn from_file(text: &str) -> Result<LoadedConfig, ConfigError> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("morpion.toml");
    fs::write(&file, text).unwrap();
    ConfigSources { file: Some(file), ..ConfigSources::default() }.load()
}

fn from_environment(name: &str, value: &str) -> Result<LoadedConfig, ConfigError> {
    ConfigSources { environment: vec![(name.to_owned(), value.to_owned())], ..ConfigSources::default() }.load()
}

fn refusal(outcome: Result<LoadedConfig, ConfigError>) -> String {
    let text = outcome.expect_err("it must be refused").to_string();
    assert_eq!(text.lines().count(), 1, "an error is one line: {text}");
    text
}

fn at(listen: &str, public_url: &str) -> Config {
    let mut config = Config::default().bound_to(listen.parse().unwrap());
    config.server.public_url = (!public_url.is_empty()).then(|| public_url.parse().unwrap());
    config
}

#[test]
fn the_defaults_load_and_match_the_documentation() {
    let config = Config::default();
    assert_eq!(config.public_origin().to_string(), "http://127.0.0.1:8080");
    assert_eq!(config.data_dir, PathBuf::from("./data"));
    assert_eq!(config.database_url().to_string(), "surrealkv://./data/db");
    assert_eq!(config.log_dir(), Some(PathBuf::from("./data/logs")));
    assert!(!config.is_secure());
    assert!(config.identity.local.enabled);
}

#[test]
fn limits_in_the_sample_match_the_program() {
    assert_eq!(Config::default().limits, LimitsConfig::default());
}

#[test]
fn the_sample_contains_every_limit() {
    let refusal = toml::from_str::<LimitsConfig>("nothing_of_the_kind = 1").unwrap_err().to_string();
    let (_, known) = refusal.split_once("expected one of").expect("the refusal lists the known keys");
    let known: Vec<_> = known.split('`').skip(1).step_by(2).collect();
    assert!(known.contains(&"registrations_per_hour") && known.len() > 10, "{refusal}");
    let loaded = ConfigSources::default().load().unwrap();
    for key in known.iter().map(|key| format!("limits.{key}")) {
        assert!(loaded.settings.iter().any(|setting| setting.key == key), "{key}");
    }
}

#[test]
fn every_key_of_the_sample_has_a_comment_above_it() {
    let lines: Vec<_> = DEFAULT_CONFIG.lines().collect();
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| line.contains(" = ") && !line.starts_with('#')) {
        let above = lines[..number].iter().rev().find(|above| !above.contains(" = ") || above.starts_with('#'));
        assert!(above.is_some_and(|above| above.starts_with('#')), "{line}");
    }
}

#[test]
fn flags_beat_environment_beats_file_beats_default() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("morpion.toml");
    fs::write(&file, "data_dir = '/file'\n[server]\nlisten = '127.0.0.1:1'\n[log]\nlevel = 'debug'\n").unwrap();
    let loaded = ConfigSources {
        file: Some(file.clone()),
        environment: vec![
            ("MORPION_DATA_DIR".to_owned(), "/environment".to_owned()),
            ("MORPION_SERVER__LISTEN".to_owned(), "127.0.0.1:2".to_owned()),
        ],
        flags: vec![("server.listen", "--listen", "127.0.0.1:3".to_owned())],
        ..ConfigSources::default()
    }
    .load()
    .unwrap();
    assert_eq!(loaded.config.server.listen.port(), 3);
    assert_eq!(loaded.config.data_dir, PathBuf::from("/environment"));
    assert_eq!(loaded.config.log.level, "debug");
    assert_eq!(loaded.config.database_url().to_string(), "surrealkv:///environment/db");
    let source = |key: &str| loaded.settings.iter().find(|setting| setting.key == key).unwrap().source.clone();
    assert_eq!(source("server.listen"), ConfigSource::Flag("--listen"));
    assert_eq!(source("data_dir"), ConfigSource::Environment("MORPION_DATA_DIR".to_owned()));
    assert_eq!(source("log.level"), ConfigSource::File(file));
    assert_eq!(source("log.format"), ConfigSource::Default);
}

#[test]
fn a_named_file_must_exist_and_a_default_one_need_not() {
    let missing = PathBuf::from("/nonexistent/morpion.toml");
    let named = ConfigSources { file: Some(missing.clone()), ..ConfigSources::default() };
    assert!(refusal(named.load()).contains("/nonexistent/morpion.toml cannot be read"));
    assert!(refusal(from_environment("MORPION_CONFIG", "/nonexistent/x.toml")).contains("cannot be read"));
    let looked_for = ConfigSources { search: vec![missing], ..ConfigSources::default() };
    assert!(looked_for.load().unwrap().file.is_none());
}

#[test]
fn an_unknown_key_names_the_nearest_known_one() {
    assert!(refusal(from_file("[server]\nlissten = '127.0.0.1:1'")).contains("did you mean 'server.listen'?"));
    assert!(refusal(from_file("listen = '127.0.0.1:1'")).contains("did you mean 'server.listen'?"));
    assert!(refusal(from_file("[sever]\nlisten = '127.0.0.1:1'")).contains("did you mean 'server.listen'?"));
    assert!(refusal(from_environment("MORPION_SERVER__LISTN", "x")).contains("did you mean 'server.listen'?"));
    assert!(refusal(from_environment("MORPION_DATADIR", "x")).contains("did you mean 'MORPION_DATA_DIR'?"));
    let unlike = refusal(from_file("[zzz]\nqqqqqqqq = 1"));
    assert!(unlike.contains("unknown key 'zzz.qqqqqqqq';"), "{unlike}");
}

#[test]
fn environment_variables_of_the_console_are_ignored() {
    assert!(from_environment("MORPION_TOKEN", "x").is_ok());
    assert!(from_environment("MORPION_SERVER", "http://127.0.0.1:8080").is_ok());
}

#[test]
fn errors_name_the_location_of_a_wrong_value_and_valid_ones() {
    let text = refusal(from_environment("MORPION_SERVER__LISTEN", "localhost:99"));
    assert!(text.starts_with("$MORPION_SERVER__LISTEN: server.listen: 'localhost:99' is not an address"), "{text}");
    assert!(text.ends_with("such as 127.0.0.1:99"), "{text}");
    assert!(refusal(from_file("[server]\nlisten = 8080")).contains("server.listen: invalid type: integer"));
    assert!(refusal(from_file("[server]\nlisten = '127.0.0.1:99999'")).contains("not an address"));
    assert!(refusal(from_file("server = 3")).contains("it is a section"));
    assert!(refusal(from_file("[server]\npublic_url = 'play.example.org'")).contains("write https://HOST"));
    assert!(refusal(from_file("[server]\npublic_url = 'https://a.example/sub'")).contains("no path"));
    assert!(refusal(from_file("[server]\npublic_url = 'ftp://a.example'")).contains("server.public_url"));
    assert!(refusal(from_file("[server]\ntrusted_proxies = ['10.0.0.0/99']")).contains("10.0.0.0/8"));
    assert!(refusal(from_file("[database]\nurl = 'postgres://x'")).contains("surrealkv://PATH or mem://"));
    assert!(refusal(from_file("[metrics]\nlisten = 'localhost:9464'")).contains("such as 127.0.0.1:9464"));
    for collector in
        ["localhost:4318", "ftp://a.example", "http://", "http://me:secret@a.example", "http://a.example?x"]
    {
        let text = refusal(from_file(&format!("[telemetry]\notlp = '{collector}'")));
        assert!(text.contains("write http://HOST:PORT") && !text.contains("secret"), "{text}");
    }
    assert!(refusal(from_file("[log]\nformat = 'xml'")).contains("unknown variant `xml`"));
    assert!(refusal(from_file("[log]\nlevel = 'info,='")).contains("write error, warn"));
    assert!(refusal(from_file("[log]\nmax_bytes = '5 GB'")).contains("write a number and KiB, MiB or GiB"));
    assert!(refusal(from_file("[log]\nmax_bytes = '0 MiB'")).contains("log.max_bytes"));
    assert_eq!(from_environment("MORPION_LOG__MAX_BYTES", "512MiB").unwrap().config.log.max_bytes, 512 << 20);
    assert!(refusal(from_file("[play]\nmax_live_games = -1")).contains("play.max_live_games"));
    assert!(refusal(from_environment("MORPION_PLAY__MAX_LIVE_GAMES", "many")).contains("not a whole number"));
    assert!(refusal(from_environment("MORPION_IDENTITY__REGISTRATION", "yes")).contains("neither true nor false"));
    assert!(refusal(from_file("[operator]\nname = \"a\\nb\"")).contains("it must be one line"));
    assert!(
        refusal(from_file("[push]\ncontact = 'by letter'")).contains("write an email address or https://HOST/PATH")
    );
    assert!(refusal(from_file("[push]\nbrowsers_per_account = 0")).contains("push.browsers_per_account"));
    assert!(refusal(from_file("[push]\nper_hour = 0")).contains("push.per_hour"));
    assert!(refusal(from_file("[events]\nreminder_before = 'soon'")).contains("such as 24h"));
    assert_eq!(from_environment("MORPION_PUSH__ENABLED", "false").unwrap().config.push_contact(), None);
    assert!(refusal(from_file("[site]\nkyc_url = 'javascript:alert(1)'")).contains("write https://HOST/PATH"));
    assert!(refusal(from_file("[site]\nios_app_url = 'apps.example.org'")).contains("site.ios_app_url"));
    assert!(refusal(from_file("a = 1\nb = = 2")).contains("line 2"));
    assert!(refusal(from_file("[server]\nlisten = '127.0.0.1:1'\nlisten = '127.0.0.1:2'")).contains("duplicate key"));
}

#[test]
fn lists_in_environment_variables_are_comma_separated() {
    let config = from_environment("MORPION_SERVER__TRUSTED_PROXIES", "10.0.0.0/8, 192.168.1.7").unwrap().config;
    assert!(config.trusts_proxy("10.2.3.4".parse().unwrap()));
    assert!(config.trusts_proxy("::ffff:192.168.1.7".parse().unwrap()));
    assert!(!config.trusts_proxy("192.168.1.8".parse().unwrap()));
}

#[test]
fn secrets_come_from_files_and_credentials_and_are_never_shown() {
    let folder = TempDir::new().unwrap();
    let key = "k".repeat(40);
    let file = folder.path().join("server.secret_key");
    fs::write(&file, format!("{key}\n")).unwrap();

    let by_file = from_file(&format!("[server]\nsecret_key_file = '{}'", file.display())).unwrap();
    let by_variable = from_environment("MORPION_SERVER__SECRET_KEY_FILE", &file.to_string_lossy()).unwrap();
    let by_credential =
        ConfigSources { credentials: Some(folder.path().to_owned()), ..ConfigSources::default() }.load().unwrap();
    for loaded in [by_file, by_variable, by_credential] {
        assert_eq!(loaded.config.server.secret_key.as_ref().unwrap().expose(), key);
        let shown = format!("{:?} {:?}", loaded.config, loaded.settings);
        assert!(!shown.contains(&key), "{shown}");
        assert!(shown.contains("(hidden)"));
    }
}

#[test]
fn several_providers_are_a_list_or_sections_and_one_alone_is_as_before() {
    let alone = from_file("[identity.oidc]\nclient_id = 'one'\nclient_secret = 'hidden'").unwrap().config.identity;
    assert_eq!(alone.providers().map(|(id, oidc)| (id, oidc.client_id.as_str())).collect::<Vec<_>>(), [("", "one")]);

    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("identity.oidc.school.client_secret"), "of the credential\n").unwrap();
    let list = "[[identity.oidc]]\nid = 'school'\nissuer = 'https://school.example'\nclient_id = 'two'\n\
        [[identity.oidc]]\nclient_id = 'one'\n\
        [[identity.oidc]]\nid = 'my-club'\nissuer = 'https://club.example'\nallowed_groups = ['members']\n";
    let sections = "[identity.oidc]\nclient_id = 'one'\n\
        [identity.oidc.school]\nissuer = 'https://school.example'\nclient_id = 'two'\n\
        [identity.oidc.my-club]\nissuer = 'https://club.example'\nallowed_groups = ['members']\n";
    for text in [list, sections] {
        let file = folder.path().join("morpion.toml");
        fs::write(&file, text).unwrap();
        let sources = ConfigSources {
            file: Some(file),
            credentials: Some(folder.path().to_owned()),
            environment: vec![
                ("MORPION_IDENTITY__OIDC__MY_CLUB__CLIENT_ID".to_owned(), "three".to_owned()),
                ("MORPION_IDENTITY__OIDC__MY_CLUB__SCOPES".to_owned(), "openid, groups".to_owned()),
                ("MORPION_IDENTITY__OIDC__MY_CLUB__ACCEPT_MISSING_EMAIL_VERIFIED".to_owned(), "true".to_owned()),
            ],
            ..ConfigSources::default()
        };
        let loaded = sources.load().unwrap();
        let identity = &loaded.config.identity;
        let found: Vec<_> = identity.providers().map(|(id, oidc)| (id, oidc.client_id.as_str())).collect();
        assert_eq!(found, [("", "one"), ("my-club", "three"), ("school", "two")]);
        let (club, school) = (&identity.more_oidc["my-club"], &identity.more_oidc["school"]);
        assert_eq!((club.scopes.len(), club.accept_missing_email_verified), (2, true));
        assert_eq!((club.allowed_groups.as_slice(), school.allowed_groups.len()), (&["members".to_owned()][..], 0));
        assert_eq!((school.label(), school.groups_claim.as_str()), ("school.example".to_owned(), "groups"));
        assert_eq!(school.client_secret.expose(), "of the credential");
        let shown = format!("{:?} {:?}", loaded.config, loaded.settings);
        assert!(!shown.contains("of the credential") && shown.contains("identity.oidc.school.client_secret"));
    }
}

#[test]
fn providers_that_cannot_be_told_apart_are_refused() {
    let entry =
        |id: &str, issuer: &str| format!("[[identity.oidc]]\n{id}issuer = 'https://{issuer}'\nclient_id = 'client'\n");
    for (text, why) in [
        (entry("", "a") + &entry("", "b"), "two providers have no id"),
        (entry("id = 'x'\n", "a") + &entry("id = 'x'\n", "b"), "two providers have the id x"),
        (entry("", "a") + &entry("id = 'x'\n", "a/"), "two providers have the issuer https://a"),
        (entry("id = 'Club'\n", "a"), "'Club' cannot be an id"),
        (entry("id = ''\n", "a"), "'' cannot be an id"),
        (entry("id = 'name'\n", "a"), "'name' cannot be an id"),
        (entry("id = 7\n", "a"), "must be text in quotes"),
        ("[identity]\noidc = ['x']".to_owned(), "write [[identity.oidc]]"),
        (entry("id = 'x'\ncalendar_scope = 'c'\n", "a"), "unknown key 'identity.oidc.x.calendar_scope'"),
        (entry("id = 'x'\nclient_idd = 'c'\n", "a"), "did you mean 'identity.oidc.x.client_id'"),
        ("[identity.oidc.x]\nissuer = 'ftp://a'".to_owned(), "identity.oidc.x.issuer: 'ftp://a' cannot be used"),
        ("[identity.oidc.x]\nclient_secret = 7".to_owned(), "identity.oidc.x.client_secret: it must be text"),
        ("[identity.more_oidc.x]\nissuer = 'https://a'".to_owned(), "unknown key 'identity.more_oidc.x.issuer'"),
        ((0..9).map(|n| entry(&format!("id = 'p{n}'\n"), &format!("h{n}"))).collect(), "keep at most 8"),
    ] {
        let refused = refusal(from_file(&text));
        assert!(refused.contains(why), "{text}: {refused}");
    }
}

#[test]
fn errors_about_secrets_do_not_show_them() {
    let key = "k".repeat(40);
    let both = refusal(from_file(&format!("[server]\nsecret_key = '{key}'\nsecret_key_file = '/x'")));
    assert!(both.contains("server.secret_key and server.secret_key_file are both given"), "{both}");
    let both = ConfigSources {
        environment: vec![
            ("MORPION_SERVER__SECRET_KEY_FILE".to_owned(), "/dev/null".to_owned()),
            ("MORPION_SERVER__SECRET_KEY".to_owned(), key),
        ],
        ..ConfigSources::default()
    };
    assert!(refusal(both.load()).contains("are both given"));
    assert!(refusal(from_file("[server]\nsecret_key_file = '/nonexistent'")).contains("/nonexistent cannot be read"));
    let short = refusal(from_file("[server]\nsecret_key = 'hunter2'"));
    assert!(short.contains("at least 32 characters") && !short.contains("hunter2"), "{short}");
    let wrong_type = refusal(from_file("[server]\nsecret_key = 123456789"));
    assert!(!wrong_type.contains("123456789"), "{wrong_type}");
}

#[test]
fn the_key_of_the_database_comes_from_private_files_that_have_one() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("storage.encryption_key");
    let text = "5e".repeat(32);
    let by_file = || from_file(&format!("[storage]\nencryption_key_file = '{}'", file.display()));
    let by_credential =
        || ConfigSources { credentials: Some(folder.path().to_owned()), ..ConfigSources::default() }.load();
    let write = |text: &str, mode: u32| {
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    };
    write(&format!("{text}\n"), 0o400);
    for loaded in [by_file().unwrap(), by_credential().unwrap()] {
        assert_eq!(loaded.config.storage.encryption_key, Some(text.parse().unwrap()));
        assert_eq!(loaded.config.open_options().key, Some(text.parse().unwrap()));
        let shown = format!("{:?} {:?}", loaded.config, loaded.settings);
        assert!(!shown.contains(&text) && shown.contains("(hidden)"), "{shown}");
    }
    fs::remove_file(&file).unwrap();
    assert_eq!(from_file("[storage]\nencryption_key = ''").unwrap().config.storage.encryption_key, None);
    for empty in ["", "\n"] {
        write(empty, 0o600);
        for refused in [refusal(by_file()), refusal(by_credential())] {
            assert!(refused.contains("is empty; put 64 hexadecimal digits there"), "{refused}");
        }
    }
    write(&text, 0o640);
    assert!(refusal(by_file()).contains("storage.encryption_key_file: ") && refusal(by_file()).contains("chmod 600"));
    write(&text[1..], 0o600);
    let short = refusal(by_file());
    assert!(short.contains("it is not a key of 64 hexadecimal digits") && !short.contains("5e5e"), "{short}");
}

#[test]
fn loopback_is_allowed_under_three_names() {
    let config = at("127.0.0.1:8080", "");
    for origin in ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"] {
        assert!(config.allows_origin(origin, None), "{origin}");
        assert!(config.allows_host(origin.strip_prefix("http://").unwrap()), "{origin}");
    }
    for origin in ["http://localhost:8081", "https://localhost:8080", "http://localhost.evil.example:8080", "null", ""]
    {
        assert!(!config.allows_origin(origin, None), "{origin}");
    }
    for host in ["localhost", "evil.example:8080", "", "127.0.0.1:8080/x", "a b", "192.168.1.5:8080"] {
        assert!(!config.allows_host(host), "{host}");
    }
}

#[test]
fn a_public_url_decides_host_origin_and_security() {
    let mut config = at("127.0.0.1:8080", "https://Play.Example.org");
    assert!(config.is_secure());
    assert_eq!(config.public_origin().to_string(), "https://play.example.org");
    assert!(config.allows_origin("https://play.example.org", None));
    assert!(!config.allows_origin("http://play.example.org", None));
    assert!(!config.allows_origin("http://127.0.0.1:8080", None));
    assert!(config.allows_host("play.example.org"));
    assert!(config.allows_host("127.0.0.1:8080"), "the console on the same machine");
    assert!(!config.allows_host("other.example.org"));
    assert!(!config.allows_host("192.168.1.5:8080"));
    config.server.listen = "192.168.1.5:8080".parse().unwrap();
    assert!(config.allows_host("192.168.1.5:8080"), "the shell on the same machine");
    assert!(!config.allows_host("192.168.1.5:8081"));
}

#[test]
fn listening_on_all_interfaces_accepts_ip_hosts_but_no_names() {
    let config = at("0.0.0.0:8080", "");
    assert_eq!(config.public_origin().to_string(), "http://127.0.0.1:8080");
    assert!(config.allows_host("192.168.1.5:8080"));
    assert!(config.allows_origin("http://192.168.1.5:8080", Some("192.168.1.5:8080")));
    assert!(!config.allows_origin("http://192.168.1.6:8080", Some("192.168.1.5:8080")));
    assert!(!config.allows_host("evil.example:8080"));
    assert!(!config.allows_origin("http://evil.example:8080", Some("evil.example:8080")));
}

#[test]
fn the_dev_origin_is_allowed_when_it_is_set() {
    let mut config = at("127.0.0.1:8080", "");
    assert!(!config.allows_origin("http://localhost:5173", None));
    config.server.dev_origin = Some("http://127.0.0.1:5173".parse().unwrap());
    assert!(config.allows_origin("http://localhost:5173", None));
    assert!(config.allows_host("127.0.0.1:5173"), "the development server's proxy passes the Host on");
}

#[test]
fn an_unknown_log_level_is_refused() {
    for bad in ["loud", "infoo", "", "info,", "morpion=loud", "warn,morpion_appliance", "42"] {
        let line = refusal(from_file(&format!("[log]\nlevel = '{bad}'")));
        assert!(line.contains(&format!("'{bad}' is not a log level")) && line.contains("error, warn, info"), "{line}");
    }
    for good in ["error", "WARN", "info", "debug", "trace", "off", "warn,morpion_appliance=debug", "morpion=trace"] {
        assert!(from_file(&format!("[log]\nlevel = '{good}'")).is_ok(), "{good}");
    }
}

/// Every key that is read as a secret is hidden, and can be given as a file; and nothing is that only looks like one.
#[test]
fn secrets_and_paths_follow_from_the_types() {
    let defaults: toml::Table = DEFAULT_CONFIG.parse().unwrap();
    let kinds = kinds::of(&defaults).unwrap();
    let of = |kind: kinds::Kind| -> Vec<&str> {
        kinds.iter().filter(|(_, found)| **found == kind).map(|(key, _)| key.as_str()).collect()
    };
    let mut keys = vec![];
    layers::flatten("", &defaults, &mut |key, _| keys.push(key.to_owned()));
    assert_eq!(keys.len(), ConfigSources::default().load().unwrap().settings.len());
    for key in &keys {
        // What the sample calls a secret is one, and a name that promises one has the type.
        let sounds_secret = ["secret", "password", "passphrase", "secret_key", "encryption_key"]
            .iter()
            .any(|word| key.rsplit(['.', '_']).next() == Some(word) || key.ends_with(word));
        assert!(!sounds_secret || of(kinds::Kind::Secret).contains(&key.as_str()), "{key} is read as no secret");
        let sounds_like_a_path =
            ["_file", "_ca", ".dir", ".credentials", "breached_passwords"].iter().any(|end| key.ends_with(end));
        assert!(!sounds_like_a_path || of(kinds::Kind::Path).contains(&key.as_str()), "{key} is read as no path");
    }
    for key in of(kinds::Kind::Secret) {
        assert!(DEFAULT_CONFIG.contains(&format!("{}_file", key.rsplit('.').next().unwrap())), "{key}");
    }
    // Lists have none while they are empty.
    let mut settings = defaults.clone();
    layers::insert(&mut settings, "cluster.nats", vec!["nats://ann:pw@a"].into());
    layers::insert(&mut settings, "cluster.name", "a".into());
    layers::insert(&mut settings, "audit.export", vec!["/a"].into());
    let kinds = kinds::of(&settings).unwrap();
    assert_eq!(kinds["cluster.nats[0]"], kinds::Kind::UrlWithUser);
    assert_eq!(kinds["audit.export[0]"], kinds::Kind::Path);
}
