import { Link } from 'react-router';
import { ClockDrawing, CupDrawing, LadderDrawing, PairDrawing } from '@/shared/illustrations';
import { PageTitle } from '@/shared/site/PageTitle';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './TournamentsPage.module.css';
import { UpcomingEvents } from './UpcomingEvents';

const POINTS = [
  {
    title: 'Your level, not your luck',
    drawing: <PairDrawing />,
    text: 'You are paired with the player nearest to your level. Win and you climb a level; lose and you keep yours, until your losses run out.',
  },
  {
    title: 'Fifteen seconds',
    drawing: <ClockDrawing />,
    text: 'Every turn has its own clock, and only the server’s counts. After a draw, the other player starts the next round.',
  },
  {
    title: 'The board grows',
    drawing: <LadderDrawing />,
    text: '3×3 to begin with, 4×4 from level three, 5×5 from five, 6×6 from seven. From 4×4 on it takes four in a row.',
  },
] as const;

/** Explains tournaments and lists the next ones. */
export default function TournamentsPage() {
  return (
    <>
      <PageTitle of="/tournaments" />
      <section className={classes.hero}>
        <div className={classes.heroInner}>
          <div className={classes.pitch}>
            <h1>Tournaments</h1>
            <p>
              A fixed time, serious opponents, and a live leaderboard. Join, play as many games as the time allows, and
              be among the first three when it ends.
            </p>
            <div>
              <Link to="/register" className={`${buttons.primary} ${buttons.large}`}>
                Join a tournament
              </Link>
            </div>
          </div>
          <CupDrawing className={classes.cup} />
        </div>
      </section>

      <section className={classes.section} aria-labelledby="how">
        <h2 id="how">How it goes</h2>
        <ol className={classes.points}>
          {POINTS.map(({ title, drawing, text }) => (
            <li key={title}>
              <span className={classes.pointDrawing}>{drawing}</span>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>

      <section className={classes.upcoming} aria-labelledby="next">
        <div className={classes.section}>
          <h2 id="next">Coming up</h2>
          <UpcomingEvents />
        </div>
      </section>
    </>
  );
}
