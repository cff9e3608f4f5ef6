import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from '@/shared/ui/Card';
import { BoltIcon, LinkIcon, PairIcon, RobotIcon } from '@/shared/ui/icons';
import classes from './PlayNow.module.css';

interface Way {
  to: string;
  icon: ReactNode;
  title: string;
  about: string;
}

const WAYS: readonly Way[] = [
  { to: '/app/play', icon: <BoltIcon />, title: 'Quick match', about: 'An opponent at your level, now' },
  { to: '/app/practice/ai', icon: <RobotIcon />, title: 'Against the AI', about: 'From careless to unbeatable' },
  { to: '/app/practice/remote', icon: <LinkIcon />, title: 'With a friend', about: 'By name, or with a link' },
  { to: '/app/practice/local', icon: <PairIcon />, title: 'On one device', about: 'Pass the device around' },
];

/** Ways to a board, one press each. */
export function PlayNow() {
  return (
    <Card title="Play now">
      <ul className={classes.ways}>
        {WAYS.map(({ to, icon, title, about }) => (
          <li key={to}>
            <Link to={to} className={classes.way}>
              {icon}
              <strong>{title}</strong>
              <span>{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
