//! What a terminal can show, as the environment says.

/// Whether colours are wanted: neither a non-empty `NO_COLOR` (<https://no-color.org>) nor a terminal without abilities.
pub fn has_colours(env: &dyn Fn(&str) -> Option<String>) -> bool {
    !is_dumb(env) && env("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Whether characters beyond ASCII can be shown. Where nothing names a locale they can: terminals of today are UTF-8.
pub fn has_unicode(env: &dyn Fn(&str) -> Option<String>) -> bool {
    let named = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(env).find(|value| !value.is_empty());
    let is_utf_8 = |locale: String| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    };
    !is_dumb(env) && named.is_none_or(is_utf_8)
}

fn is_dumb(env: &dyn Fn(&str) -> Option<String>) -> bool {
    env("TERM").is_some_and(|value| value == "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Colours, and characters beyond ASCII.
    fn shows(env: &[(&str, &str)]) -> (bool, bool) {
        let env = |name: &str| env.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        (has_colours(&env), has_unicode(&env))
    }

    #[test]
    fn the_environment_says_what_can_be_shown() {
        assert_eq!(shows(&[]), (true, true));
        assert_eq!(shows(&[("TERM", "dumb"), ("LANG", "C.UTF-8")]), (false, false));
        assert_eq!(shows(&[("NO_COLOR", "1")]), (false, true));
        assert_eq!(shows(&[("NO_COLOR", "")]), (true, true));
        for (locale, has_unicode) in
            [("C", false), ("POSIX", false), ("de_DE.ISO-8859-1", false), ("de_DE.utf8", true), ("C.UTF-8", true)]
        {
            assert_eq!(shows(&[("LANG", locale)]), (true, has_unicode), "{locale}");
        }
        assert_eq!(shows(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]), (true, false));
        assert_eq!(shows(&[("LC_ALL", ""), ("LC_CTYPE", "en_US.UTF-8"), ("LANG", "C")]), (true, true));
    }
}
