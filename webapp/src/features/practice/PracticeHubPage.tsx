import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { AiDrawing, LocalDrawing, RemoteDrawing } from '@/shared/illustrations';
import { PageHeading } from '@/shared/ui/PageHeading';
import classes from './PracticeHubPage.module.css';

export default function PracticeHubPage() {
  return (
    <>
      <PageHeading title="Practice">Align 3 or 4 to win.</PageHeading>
      <div className={classes.cards}>
        <Way to="/app/practice/local" title="Local Practice" drawing={<LocalDrawing />}>
          Two players, same device
        </Way>
        <Way to="/app/practice/ai" title="AI Practice" drawing={<AiDrawing />}>
          Against a smart AI
        </Way>
        <Way to="/app/practice/remote" title="Remote Friend" drawing={<RemoteDrawing />}>
          Invite a friend online
        </Way>
      </div>
    </>
  );
}

interface WayProps {
  to: string;
  title: string;
  drawing: ReactNode;
  children: string;
}

/** One way to practise; the whole card leads there. */
function Way({ to, title, drawing, children }: WayProps) {
  return (
    <Link to={to} className={classes.card}>
      <span className={classes.drawing}>{drawing}</span>
      <span className={classes.words}>
        <strong>{title}</strong>
        <span>{children}</span>
      </span>
    </Link>
  );
}
