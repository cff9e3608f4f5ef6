import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useOpenReportsQuery } from '@/api/admin';
import {
  AuditIcon,
  BillingIcon,
  CalendarIcon,
  EngineIcon,
  EventsIcon,
  LinkIcon,
  LogsIcon,
  PeopleIcon,
  PracticeIcon,
  ReportsIcon,
  ServerIcon,
  SignalIcon,
} from '@/shared/ui/icons';
import classes from './AdminNav.module.css';
import { ifKnown } from '@/shared/ui/Loaded';

/** How often the reports are counted, in milliseconds. */
const COUNT_EVERY_MS = 60_000;

const REPORTS = '/app/admin/reports';

const PLACES = [
  { to: '/app/admin/events', label: 'Events', icon: <EventsIcon /> },
  { to: '/app/admin/series', label: 'Series', icon: <CalendarIcon /> },
  { to: '/app/admin/games', label: 'Live Games', icon: <PracticeIcon /> },
  { to: '/app/admin/logs', label: 'Logs', icon: <LogsIcon /> },
  { to: '/app/admin/audit', label: 'Audit', icon: <AuditIcon /> },
  { to: '/app/admin/users', label: 'People', icon: <PeopleIcon /> },
  { to: REPORTS, label: 'Reports', icon: <ReportsIcon /> },
  { to: '/app/admin/engine-use', label: 'Engine Use', icon: <EngineIcon /> },
  { to: '/app/admin/billing', label: 'Billing', icon: <BillingIcon /> },
  { to: '/app/admin/tokens', label: 'Tokens', icon: <LinkIcon /> },
  { to: '/app/admin/webhooks', label: 'Webhooks', icon: <SignalIcon /> },
  { to: '/app/admin/server', label: 'Server', icon: <ServerIcon /> },
];

function bringIntoView(place: Element): void {
  place.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Shows the present place. The strip alone scrolls then: it is at the top of a page that somebody may have scrolled. */
function showPlace(nav: Element | null): void {
  const place = nav?.querySelector('[aria-current=page]');
  if (!nav || !place) return;
  if (nav.scrollWidth <= nav.clientWidth) {
    bringIntoView(place);
    return;
  }
  const [seen, own] = [nav.getBoundingClientRect(), place.getBoundingClientRect()];
  nav.scrollLeft += Math.min(0, own.left - seen.left) + Math.max(0, own.right - seen.right);
}

/** The admin navigation: a group in the side navigation; on narrow screens a strip on top of the admin pages. */
export function AdminNav() {
  const { pathname } = useLocation();
  const isThere = pathname.startsWith('/app/admin');
  const strip = useRef<HTMLElement>(null);
  const open = ifKnown(useOpenReportsQuery(undefined, { pollingInterval: COUNT_EVERY_MS })) ?? 0;
  // The strip of narrow screens is wider than they are, and the count makes it wider.
  useEffect(() => {
    if (strip.current === null) return;
    const nav = strip.current;
    const observer = new ResizeObserver(() => showPlace(nav));
    observer.observe(nav);
    showPlace(nav);
    return () => observer.disconnect();
  }, [pathname, open]);
  return (
    <nav ref={strip} className={classes.group} data-there={isThere || undefined} aria-label="Admin">
      <span className={classes.title} aria-hidden="true">
        Admin
      </span>
      {PLACES.map(({ to, label, icon }) => (
        <NavLink
          key={to}
          to={to}
          className={classes.place ?? ''}
          onFocus={({ currentTarget }) => bringIntoView(currentTarget)}
        >
          {icon}
          {label}
          {to === REPORTS && open > 0 && (
            <span className={classes.badge}>
              {open} <span className={classes.unseen}>open</span>
            </span>
          )}
        </NavLink>
      ))}
    </nav>
  );
}
