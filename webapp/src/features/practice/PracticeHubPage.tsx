import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { AiDrawing, LocalDrawing, RemoteDrawing } from '@/shared/illustrations';
import { PageHeading } from '@/shared/ui/PageHeading';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './PracticeHubPage.module.css';

export default function PracticeHubPage() {
  return (
    <>
      <PageHeading title="Practice">Align 3 or 4 to win.</PageHeading>
      <div className={classes.cards}>
        <Way
          to="/app/practice/local"
          title="Local Practice"
          drawing={<LocalDrawing />}
          about="Boards of 3 to 6 cells a side, passed between two players. The score is kept as you go on."
        >
          Two players, same device
        </Way>
        <Way
          to="/app/practice/ai"
          title="AI Practice"
          drawing={<AiDrawing />}
          about="From careless to unbeatable. Ask for a hint, and see afterwards which move decided it."
        >
          Against a smart AI
        </Way>
        <Way
          to="/app/practice/remote"
          title="Remote Friend"
          drawing={<RemoteDrawing />}
          about="By their name, or with a link that works without an account."
        >
          Invite a friend online
        </Way>
      </div>
      <p className={classes.open}>
        Have a game as text?{' '}
        <Link to="/app/practice/open" className={textLink.link}>
          Open its replay
        </Link>
      </p>
    </>
  );
}

interface WayProps {
  to: string;
  title: string;
  drawing: ReactNode;
  children: string;
  /** More text, if there is room. */
  about: string;
}

/** One kind of practice; the whole card is a link. */
function Way({ to, title, drawing, children, about }: WayProps) {
  return (
    <Link to={to} className={classes.card}>
      <span className={classes.drawing}>{drawing}</span>
      <span className={classes.words}>
        <strong>{title}</strong>
        <span>{children}</span>
        <span className={classes.about}>{about}</span>
      </span>
    </Link>
  );
}
