import { Link } from 'react-router';
import { LegalText, OperatorContact, OperatorName, Section } from './LegalText';

const KEPT = [
  {
    what: 'Your account',
    how: 'Username, display name, first and last name, email address, and your picture if you gave one. A password only as an Argon2id hash, from which it cannot be read back.',
  },
  {
    what: 'Sign-in with a provider',
    how: 'If you use one: its name and the number by which it knows you, your name and email address as it told them, and whether the address is verified.',
  },
  {
    what: 'Two-step verification',
    how: 'If you set it up: the secret of your authenticator app, encrypted; your passkeys’ public keys with their names and dates; recovery codes only as hashes.',
  },
  {
    what: 'Your sessions',
    how: 'For each browser in which you are signed in: a hash of its session token, a description such as ‘Firefox on Linux’, the network address, and when it was last used.',
  },
  {
    what: 'Your programs',
    how: 'For each token by which a program acts for you: a hash of it, its name, what it may do, until when, and when it was last used.',
  },
  {
    what: 'Notifications',
    how: 'Which notifications you want. For each browser in which you turned them on: the address of its push service, the key for which they are encrypted, a description such as ‘Firefox on Linux’, and when it was last used.',
  },
  {
    what: 'Games and events',
    how: 'Moves with their times, results, levels, your rating and the games that changed it, how your moves in rated games compare with perfect play, invitations, and the events you signed up for.',
  },
  {
    what: 'Reports and blocks',
    how: 'Reports you make and reports about you: the reason, the text, the game, and the names and picture of the person reported as they were. Whom you block. If you are suspended: since when, until when and why.',
  },
  {
    what: 'The Pro plan',
    how: 'Plan, state, date of the next payment and the payment provider’s numbers for them. Card numbers never reach this server.',
  },
  {
    what: 'Acts of administrators',
    how: 'Who changed what, for example a suspension, with the names of the account it was about and the reason.',
  },
  {
    what: 'Technical records',
    how: 'Messages of the program and of your browser when something fails, with the time and, where it helps, the number of your account and session and the network address. Passwords, codes, cookies and card data are kept out of them.',
  },
] as const;

/** Which data is stored, why, for how long, and how it is deleted. */
export function PrivacyText() {
  return (
    <LegalText>
      <Section title="1. Who is responsible">
        <p>
          This server is run by <OperatorName />, who is responsible for what it keeps. <OperatorContact />
        </p>
      </Section>
      <Section title="2. What is kept">
        <dl>
          {KEPT.map(({ what, how }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{how}</dd>
            </div>
          ))}
        </dl>
        <p>
          The people you played with lately, your theme and games of practice stay in your own browser: see the{' '}
          <Link to="/cookies">Cookies Policy</Link>.
        </p>
      </Section>
      <Section title="3. What for">
        <ul>
          <li>To give you what you came for: an account, games, events, the Pro plan (performance of a contract).</li>
          <li>
            To keep this server safe: limits on failed sign-ins, the list of your sessions, technical records, reports,
            blocks and suspensions (legitimate interest).
          </li>
          <li>
            To connect your calendar, send you mail you asked for, or notifications you switched on (your consent, which
            you can withdraw).
          </li>
        </ul>
        <p>
          There is no advertising and no tracking. Your rating decides whom quick match finds for you, and two people
          with one browser or at one network address play no rated games there. Moves of rated games are compared with
          perfect play, so that administrators can look into the help of programs; nothing follows from that by itself,
          and nothing else is decided about you by a profile.
        </p>
      </Section>
      <Recipients />
      <Retention />
      <Section title="6. Your rights">
        <ul>
          <li>See it: download your data as JSON in the settings, and ask the operator for anything not in it.</li>
          <li>Correct it: change your names and picture under Edit Profile.</li>
          <li>Take it away: delete your account in the settings, for good.</li>
          <li>
            Object, have its use restricted, withdraw a consent, or complain to the data protection authority of your
            country.
          </li>
        </ul>
        <p>
          <OperatorContact />
        </p>
      </Section>
      <Section title="7. Children">
        <p>
          This server is not for children under 13. Whoever is under 18 needs the consent of a parent or guardian. If a
          child signed up without it, tell the operator, who removes the account.
        </p>
      </Section>
      <Section title="8. How it is kept safe">
        <p>
          Passwords, session tokens and codes are stored only as hashes, sign-ins are limited, and every change needs an
          anti-forgery token. The data lie on the operator’s own machine, in a folder that only the program reads.
        </p>
      </Section>
      <Section title="9. Changes">
        <p>If what is kept changes in a way that matters to you, you are told before it happens.</p>
      </Section>
    </LegalText>
  );
}

function Recipients() {
  return (
    <Section title="4. Who sees it">
      <ul>
        <li>
          Other players see your username, display name, picture, levels, rating and results. Nobody but you and the
          administrators sees your email address.
        </li>
        <li>Administrators alone see reports, suspensions and their reasons. Whom you block is told to nobody.</li>
        <li>The operator and the administrators appointed by them can see everything listed above but passwords.</li>
        <li>
          If you switch notifications on, your browser’s push service (of Google, Mozilla, Apple or Microsoft, as your
          browser has it) learns that this server sends you something, and when. What it says is encrypted for your
          browser.
        </li>
        <li>
          Only where this server uses them, and only what they need: the sign-in provider if you sign in with it, the
          payment provider if you subscribe, the mail server that carries codes to you, and your calendar if you connect
          it.
        </li>
      </ul>
      <p>
        No page asks any other server for anything unless the operator set up such a provider, and nothing is sold or
        handed to anybody else.
      </p>
    </Section>
  );
}

function Retention() {
  return (
    <Section title="5. For how long">
      <ul>
        <li>Your account and picture: until you delete it. Guests: until they were not seen for 30 days.</li>
        <li>Sessions: until you sign out, after 30 days without use, and after 90 days at most.</li>
        <li>Browsers that show notifications: until you switch them off or your session there ends.</li>
        <li>Codes for a forgotten password or an email address: 10 minutes.</li>
        <li>
          Reports: until the account that made it, or the one it is about, is deleted. Blocks: until you end them.
        </li>
        <li>Technical records: 14 days, unless the operator chose another time.</li>
        <li>
          Results of finished games: they stay for those you played, under ‘Deleted player’ once your account is gone.
        </li>
        <li>Records of payments: as long as the law wants it.</li>
      </ul>
      <p>Backups the operator makes may hold what was deleted for a while longer, until they are replaced.</p>
    </Section>
  );
}
