import { NavLink, useLocation } from 'react-router';
import { AuditIcon, BillingIcon, EventsIcon, LogsIcon, PeopleIcon } from '@/shared/ui/icons';
import classes from './AdminNav.module.css';

const PLACES = [
  { to: '/app/admin/events', label: 'Events', icon: <EventsIcon /> },
  { to: '/app/admin/logs', label: 'Logs', icon: <LogsIcon /> },
  { to: '/app/admin/audit', label: 'Audit', icon: <AuditIcon /> },
  { to: '/app/admin/users', label: 'People', icon: <PeopleIcon /> },
  { to: '/app/admin/billing', label: 'Billing', icon: <BillingIcon /> },
];

/** The admin navigation: a group in the side navigation; on narrow screens a strip on top of the admin pages. */
export function AdminNav() {
  const isThere = useLocation().pathname.startsWith('/app/admin');
  return (
    <nav className={classes.group} data-there={isThere || undefined} aria-label="Admin">
      <span className={classes.title} aria-hidden="true">
        Admin
      </span>
      {PLACES.map(({ to, label, icon }) => (
        <NavLink key={to} to={to} className={classes.place ?? ''}>
          {icon}
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
