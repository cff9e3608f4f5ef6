import { LegalText, Section } from './LegalText';

interface Kept {
  names: readonly string[];
  purpose: string;
}

const COOKIES: readonly Kept[] = [
  {
    names: ['morpion_session'],
    purpose: 'Keeps you signed in. Scripts cannot read it. Until you sign out, 30 days without use, 90 days at most.',
  },
  {
    names: ['morpion_device'],
    purpose:
      'A random name for this browser, so that somebody who guesses at your password elsewhere cannot lock you out here, and two accounts of one browser play no rated games. Scripts cannot read it. 400 days.',
  },
  {
    names: ['XSRF-TOKEN'],
    purpose: 'Proves that a change comes from this site and from no other page. Until the browser is closed.',
  },
];

const LOCAL: readonly Kept[] = [
  { names: ['morpion_theme'], purpose: 'Light or dark, as you chose.' },
  { names: ['morpion_sound'], purpose: 'Whether the pen is to be heard.' },
  { names: ['morpion_call_sound'], purpose: 'Whether a sound plays when an opponent is found.' },
  { names: ['morpion_alerts'], purpose: 'Which alerts you chose for when you are in another tab or app.' },
  { names: ['morpion_reactions_muted'], purpose: 'Whether you chose to see no reactions of other players.' },
  { names: ['morpion_ai_level'], purpose: 'How strong an opponent you chose for practice.' },
  {
    names: ['morpion_puzzles'],
    purpose: 'The daily puzzles you solved or tried, for your streak and the calendar. The server has no such list.',
  },
  {
    names: ['morpion_recent_people'],
    purpose: 'The last ten people you played with, to invite them again. It stays in this browser.',
  },
  {
    names: ['morpion_last_user'],
    purpose:
      'Your username, display name and picture, so that practice works without a network. Gone when you sign out.',
  },
  {
    names: ['morpion_leaving'],
    purpose: 'That somebody signed out here, so that other tabs sign out too. Gone at the next sign-in.',
  },
  {
    names: ['morpion_quick_match'],
    purpose: 'The board, clock and kind of game you last looked for in quick match. Gone when you sign out.',
  },
  {
    names: ['morpion_push'],
    purpose:
      'Whose notifications this browser shows while the page is closed, so that they resume when you sign in again.',
  },
  {
    names: ['morpion_push_offer'],
    purpose: 'That you were offered such notifications, so that you are not asked twice.',
  },
  {
    names: ['intendedUrl'],
    purpose: 'Where you wanted to go before you were asked to sign in. Gone once you are there.',
  },
];

const SESSION: readonly Kept[] = [
  {
    names: ['morpion_practice_local', 'morpion_practice_ai'],
    purpose: 'The game of practice you are in, so that a reload does not lose it.',
  },
  {
    names: ['morpion_recovery'],
    purpose:
      'The email and the step of a forgotten password, so that you can look for the code in another app. Gone when the password is set, or after 15 minutes.',
  },
  {
    names: ['morpion_reloaded'],
    purpose:
      'When this tab was last loaded anew for a newer version of the server, so that it is not done again and again.',
  },
  {
    names: ['morpion_led_to_provider'],
    purpose:
      'That this tab was led on to the sign-in provider, or that you signed out, so that you are not led there again and again.',
  },
  { names: ['morpion_signed_in_here'], purpose: 'That somebody is signed in on this tab. Gone when you sign out.' },
  { names: ['react-router-scroll-positions'], purpose: 'Your scroll position on pages you return to.' },
];

/** Every cookie and storage key by name; a test compares the names with the source code. */
export function CookiesText() {
  return (
    <LegalText>
      <Section title="In short">
        <p>
          This site keeps what it needs to work and what you chose, and nothing else: no advertising, no tracking,
          nothing from other sites. That is why there is no banner asking for your consent.
        </p>
      </Section>
      <Section title="Cookies">
        <p>
          They are sent to this server only. Over HTTPS the first two carry <code>__Host-</code> before their name,
          which binds them to it.
        </p>
        <List of={COOKIES} />
      </Section>
      <Section title="Local storage">
        <p>Notes that stay in this browser until you clear them.</p>
        <List of={LOCAL} />
      </Section>
      <Section title="Session storage">
        <p>Notes that are gone when you close the tab.</p>
        <List of={SESSION} />
      </Section>
      <Section title="Files for playing offline">
        <p>
          The browser keeps a copy of this site’s own files, so that it opens fast and practice and puzzles work without
          a network. They hold nothing about you.
        </p>
      </Section>
      <Section title="Other people’s cookies">
        <p>
          There are none unless the operator set up a sign-in provider or a payment provider. Then the provider’s own
          script is loaded on the screens that use it, and the provider may set cookies there under its own policy.
        </p>
      </Section>
      <Section title="Getting rid of them">
        <p>
          Your browser’s settings delete all of this at any time. You are then signed out, and your choices are
          forgotten; your account and your games are not touched.
        </p>
      </Section>
    </LegalText>
  );
}

function List({ of }: { of: readonly Kept[] }) {
  return (
    <dl>
      {of.map(({ names, purpose }) => (
        <div key={names[0]}>
          <dt>
            {names.map((name, at) => (
              <span key={name}>
                {at > 0 && ', '}
                <code>{name}</code>
              </span>
            ))}
          </dt>
          <dd>{purpose}</dd>
        </div>
      ))}
    </dl>
  );
}
