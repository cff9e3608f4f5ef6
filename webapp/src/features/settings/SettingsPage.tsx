import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Link, Navigate, NavLink, useParams, useSearchParams } from 'react-router';
import { useSignOut } from '@/shared/session/useSignOut';
import { SignOutIcon } from '@/shared/ui/icons';
import { PageHeading } from '@/shared/ui/PageHeading';
import { toast } from '@/shared/ui/toast';
import { SECTIONS } from './sections';
import classes from './SettingsPage.module.css';

/** Up to this width the settings are an overview and single pages. */
export const NARROW = '(max-width: 768px)';

const GROUPS = ['Account', 'Support'] as const;

const TO_HOME = { to: '/app/home', label: 'Back to Home' };
const TO_OVERVIEW = { to: '/app/setting', label: 'All settings' };

interface SettingsPageProps {
  /** The content of Manage Subscription. */
  subscription: ReactNode;
}

/** /app/setting: one section beside the menu, or, up to 768 px, an overview from which each opens. */
export default function SettingsPage({ subscription }: SettingsPageProps) {
  const { id } = useParams();
  // Must be known before the first paint, so that the other layout does not flash.
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  useCalendarAnswer();
  const section = SECTIONS.find((each) => each.id === id);

  if (id !== undefined && section === undefined) return <Navigate to="/app/setting" replace />;
  if (section === undefined && !isNarrow) return <Navigate to="/app/setting/edit" replace />;
  return (
    <>
      <PageHeading
        title="Settings"
        documentTitle={section === undefined ? 'Settings' : `${section.title} · Settings`}
        back={section !== undefined && isNarrow ? TO_OVERVIEW : TO_HOME}
      />
      {section === undefined ? (
        <Overview />
      ) : (
        <div className={classes.columns}>
          {!isNarrow && <Menu />}
          <section className={classes.section} aria-labelledby="section">
            <h2 id="section" data-page-heading>
              {section.title}
            </h2>
            {section.screen ?? subscription}
          </section>
        </div>
      )}
    </>
  );
}

/** Shows the result of connecting the calendar after the provider's redirect (`?calendar=`). */
function useCalendarAnswer(): void {
  const [query, setQuery] = useSearchParams();
  const answer = query.get('calendar');
  useEffect(() => {
    if (answer === null) return;
    if (answer === 'connected') toast.success('Your calendar is connected.');
    else toast.error('Your calendar could not be connected. Please try again.');
    setQuery({}, { replace: true });
  }, [answer, setQuery]);
}

function Overview() {
  const signOut = useSignOut();
  return (
    <ul className={classes.grid}>
      {SECTIONS.map(({ id, card, about, icon }) => (
        <li key={id}>
          <Link to={`/app/setting/${id}`} className={classes.card}>
            {icon}
            <strong>{card}</strong>
            <span>{about}</span>
          </Link>
        </li>
      ))}
      <li>
        <button type="button" className={classes.card} onClick={() => void signOut()}>
          <SignOutIcon />
          <strong>Log Out</strong>
          <span>On this device</span>
        </button>
      </li>
    </ul>
  );
}

function Menu() {
  const signOut = useSignOut();
  return (
    <nav className={classes.menu} aria-label="Settings">
      {GROUPS.map((group) => (
        <div key={group} role="group" aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`} className={classes.group}>
            {group}
          </h2>
          {SECTIONS.filter((each) => each.group === group).map(({ id, title, icon }) => (
            <NavLink key={id} to={`/app/setting/${id}`} className={classes.item ?? ''}>
              {icon}
              {title}
            </NavLink>
          ))}
        </div>
      ))}
      <div role="group" aria-labelledby="group-actions">
        <h2 id="group-actions" className={classes.group}>
          Account Actions
        </h2>
        <button type="button" className={classes.item} onClick={() => void signOut()}>
          <SignOutIcon />
          Log Out
        </button>
      </div>
    </nav>
  );
}
