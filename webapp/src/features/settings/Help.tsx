import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from '@/shared/ui/Card';
import { usePlanSummary } from '@/shared/plan/usePlanSummary';
import classes from './Settings.module.css';

const TOPICS: readonly { question: string; answer: ReactNode }[] = [
  {
    question: 'How do I win?',
    answer: (
      <>
        <p>
          Three in a row wins on 3×3; four in a row wins on 4×4, 5×5 and 6×6. Rows, columns and diagonals all count.
          Players keep their X or O for the whole game.
        </p>
        <p>
          A full board without a line is a draw. In a tournament, a draw leads to a new round that the other player
          starts.
        </p>
      </>
    ),
  },
  {
    question: 'How do I play a friend?',
    answer: (
      <>
        <p>
          Open <Link to="/app/practice/remote">Invite Friend</Link>, find them by username and choose a board. The game
          then appears on Home for both of you.
        </p>
        <p>
          Does your friend have no account? Create an invite link and send it: whoever opens it first takes the seat,
          also as a guest. An invitation waits for 24 hours.
        </p>
      </>
    ),
  },
  {
    question: 'What if somebody loses the connection?',
    answer: (
      <>
        <p>
          Nothing is lost: every move is kept by the server before anyone sees it. Open the game again and it is where
          you left it.
        </p>
        <p>
          In a game by invitation the other player sees a countdown of 60 seconds and may then claim the win or keep
          waiting. In a tournament, players have 30 seconds to come back.
        </p>
      </>
    ),
  },
  {
    question: 'How do tournaments work?',
    answer: (
      <>
        <p>
          Sign up for an event before it starts; when it is live, enter its room and you are paired with somebody of
          your level. Each turn lasts 15 seconds by the server&rsquo;s clock, unless the event has another clock: then
          you have a minute for all turns of a game, and 2 seconds more for each move.
        </p>
        <p>
          A win lifts you one level, and boards grow with the levels: 3×3, then 4×4, 5×5 and 6×6. <FreeLimit />
        </p>
      </>
    ),
  },
  {
    question: 'Can I practice alone, or offline?',
    answer: (
      <p>
        Yes: against the computer, which you can make as strong as you like, or with a friend on one device. Both work
        without a connection. See <Link to="/app/practice">Practice</Link>.
      </p>
    ),
  },
  {
    question: 'I play as a guest. How do I keep my name?',
    answer: (
      <p>
        <Link to="/register">Create an account</Link> from the same browser: your name, your games and the people you
        played with stay yours. Guests are removed after 30 days without a visit.
      </p>
    ),
  },
  {
    question: 'I forgot my password, or somebody else may know it.',
    answer: (
      <p>
        <Link to="/changepassword">Set a new one by email</Link>: that signs out every device. In{' '}
        <Link to="/app/setting/security">Security</Link> you can see where you are signed in and end any session.
      </p>
    ),
  },
  {
    question: 'Can I play by keyboard?',
    answer: (
      <p>
        Yes. On the board the arrow keys move from cell to cell, and Enter or Space plays. Use Tab to reach everything
        else; screen readers announce each move.
      </p>
    ),
  },
];

export function Help() {
  return (
    <>
      <p className={classes.soft}>Help center coming soon...</p>
      <Card title="Until then, the answers">
        <div className={classes.help}>
          {TOPICS.map(({ question, answer }) => (
            <details key={question}>
              <summary>{question}</summary>
              <div>{answer}</div>
            </details>
          ))}
        </div>
      </Card>
    </>
  );
}

function FreeLimit() {
  const { freeEvents } = usePlanSummary();
  return freeEvents === undefined
    ? 'The free plan joins some events in a calendar month; with Pro there is no limit.'
    : `The free plan joins ${freeEvents} events in a calendar month; with Pro there is no limit.`;
}
