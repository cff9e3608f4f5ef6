import { Link } from 'react-router';
import { BotBadge } from './BotBadge';
import { PersonLabel } from './PersonLabel';
import classes from './PersonLink.module.css';
import { nameOf, type PersonSummary } from './personSummary';
import { playerPath } from './playerPath';

interface PersonLinkProps {
  person: PersonSummary;
  /** Pixels per side of the picture. */
  size?: number;
}

/** A person's picture and display name, which lead to their page. */
export function PersonLink({ person, size = 28 }: PersonLinkProps) {
  const to = playerPath(person.username);
  const label = <PersonLabel person={person} size={size} />;
  return to === undefined ? (
    label
  ) : (
    <Link to={to} className={classes.link}>
      {label}
    </Link>
  );
}

/** The display name, with a bot's badge behind it. */
export function NameLink({ person }: { person: PersonSummary }) {
  const to = playerPath(person.username);
  return (
    <>
      {to === undefined ? (
        nameOf(person)
      ) : (
        <Link to={to} className={classes.name}>
          {nameOf(person)}
        </Link>
      )}
      <BotBadge person={person} />
    </>
  );
}
