import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { AiDrawing, CupDrawing, HeroDrawing, LocalDrawing, PhoneDrawing } from '@/shared/illustrations';
import { PageTitle } from '@/shared/site/PageTitle';
import buttons from '@/shared/ui/buttons.module.css';
import { PublicFooter } from '@/shared/ui/PublicFooter';
import { PublicHeader } from '@/shared/ui/PublicHeader';
import { GuestButton } from './GuestButton';
import classes from './LandingPage.module.css';
import { StoreBadges } from './StoreBadges';

const MODES = [
  {
    title: 'Practice with AI',
    drawing: <AiDrawing />,
    text: 'It sees every line on the board and forgives nothing. Hold it to a draw and you are ready for anyone.',
  },
  {
    title: 'Local Multiplayer',
    drawing: <LocalDrawing />,
    text: 'One screen, two people, no set-up. Pass the device across the table and settle it.',
  },
  {
    title: 'Tournaments & Events',
    drawing: <CupDrawing />,
    text: 'Timed rounds against people at your level, a board that grows as you climb, and a live leaderboard.',
  },
] as const;

const REASONS = [
  { title: 'Win Prizes', text: 'Events announce what is at stake before you sign up.' },
  {
    title: 'Global Competition',
    text: 'Play against people from all over the world, starting with those nearest to your level.',
  },
  { title: 'Multiple Formats', text: 'Three in a row on 3×3, four in a row on 4×4, 5×5 and 6×6.' },
] as const;

/** The landing page. Plain styles only: the component library is not loaded here. */
export default function LandingPage() {
  return (
    <>
      <PageTitle of="/" />
      <PublicHeader />
      <main>
        <section className={classes.hero}>
          <div className={classes.heroInner}>
            <div className={classes.pitch}>
              <h1>Tic-Tac-Toe, taken seriously. Almost.</h1>
              <p>
                The pen-and-paper classic, on boards of 3 to 6 cells a side. Practice alone, play a friend, then climb
                the leaderboard.
              </p>
              <div className={classes.actions}>
                <Link to="/register" className={`${buttons.primary} ${buttons.large}`}>
                  Start playing
                </Link>
                <Link to="/login" className={`${buttons.button} ${buttons.large}`}>
                  I have an account
                </Link>
              </div>
              <GuestButton />
              <StoreBadges />
            </div>
            <HeroDrawing className={classes.heroDrawing} />
          </div>
        </section>

        <section className={classes.section} aria-labelledby="modes">
          <h2 id="modes">Game Modes</h2>
          <ul className={classes.modes}>
            {MODES.map(({ title, drawing, text }) => (
              <li key={title}>
                <ModeCard title={title} drawing={drawing}>
                  {text}
                </ModeCard>
              </li>
            ))}
          </ul>
        </section>

        <Ready />
        <Download />
      </main>
      <PublicFooter />
    </>
  );
}

function ModeCard({ title, drawing, children }: { title: string; drawing: ReactNode; children: string }) {
  return (
    <Link to="/register" className={classes.card}>
      <span className={classes.cardDrawing}>{drawing}</span>
      <h3>{title}</h3>
      <p>{children}</p>
    </Link>
  );
}

function Ready() {
  return (
    <section className={classes.ready} aria-labelledby="ready">
      <div className={classes.readyInner}>
        <h2 id="ready">Ready to Compete?</h2>
        <ol className={classes.reasons}>
          {REASONS.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
        <div className={classes.actions}>
          <Link to="/register" className={`${buttons.primary} ${buttons.large}`}>
            Create your account
          </Link>
          <Link to="/tournaments" className={`${buttons.button} ${buttons.large}`}>
            See the tournaments
          </Link>
        </div>
      </div>
    </section>
  );
}

function Download() {
  return (
    <section className={classes.section} aria-labelledby="download">
      <div className={classes.download}>
        <PhoneDrawing className={classes.phone} />
        <div className={classes.pitch}>
          <h2 id="download">Take it with you</h2>
          <p>
            Install it from this page, on a phone or a computer: it opens like any other app, and practice works without
            a network, too.
          </p>
          <StoreBadges />
        </div>
      </div>
    </section>
  );
}
