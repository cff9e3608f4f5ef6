import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from '@/shared/ui/Card';
import { usePlanSummary } from '@/shared/plan/usePlanSummary';
import classes from './Settings.module.css';

const TOPICS: readonly { question: string; answer: ReactNode }[] = [
  {
    question: 'How does one win?',
    answer: (
      <>
        <p>
          Three in a row wins on 3×3; four in a row wins on 4×4, 5×5 and 6×6. Rows, columns and diagonals all count. X
          and O stay with the players for the whole game.
        </p>
        <p>
          A full board without a line is a draw. In a tournament a draw is played on with the other player starting.
        </p>
      </>
    ),
  },
  {
    question: 'How do I play a friend?',
    answer: (
      <>
        <p>
          Open <Link to="/app/practice/remote">Invite Friend</Link>, find them by username and choose a board. They are
          told at once, and both of you find the game on Home.
        </p>
        <p>
          No account on the other side? Create an invite link and send it: whoever opens it first takes the seat, also
          as a guest. An invitation waits for 24 hours.
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
          In a game by invitation the other player sees a countdown of 60 seconds and may then claim the win or go on
          waiting. In a tournament one has 30 seconds to come back.
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
          your level. Each turn lasts 15 seconds by the server&rsquo;s clock.
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
        played with stay yours. A guest who is not seen for 30 days is removed.
      </p>
    ),
  },
  {
    question: 'I forgot my password, or somebody else may know it.',
    answer: (
      <p>
        <Link to="/changepassword">Set a new one by email</Link>: that signs out every device. In{' '}
        <Link to="/app/setting/security">Security</Link> you see where you are signed in and can end any of it.
      </p>
    ),
  },
  {
    question: 'Can I play by keyboard?',
    answer: (
      <p>
        Yes. On the board the arrow keys move from cell to cell, and Enter or Space plays. Everything else is reached
        with Tab; screen readers are told each move.
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
