import { Link } from 'react-router';
import { Logo } from '@/shared/illustrations';
import { selectUser } from '@/shared/session/sessionSlice';
import { useOperator } from '@/shared/site/operator';
import classes from './PublicFooter.module.css';
import { useAppSelector } from '@/shared/storeHooks';

const FOR_ALL = [
  { to: '/tournaments', label: 'Tournaments' },
  { to: '/app/puzzle', label: 'Puzzle of the day' },
];
const FOR_VISITORS = [
  { to: '/register', label: 'Sign Up' },
  { to: '/login', label: 'Login' },
];
const FOR_SIGNED_IN = [{ to: '/app/home', label: 'Home' }];
const LEGAL = [
  { to: '/legal', label: 'Legal Information' },
  { to: '/terms', label: 'Terms & Conditions' },
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/cookies', label: 'Cookies Policy' },
];

/** The footer of public pages: links and the operator. */
export function PublicFooter() {
  const { name, contact } = useOperator();
  const user = useAppSelector(selectUser);
  const places = [
    ...FOR_ALL,
    ...(user === null ? [] : FOR_SIGNED_IN),
    ...(user === null || user.isTempUser ? FOR_VISITORS : []),
    ...LEGAL,
  ];
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <div className={classes.row}>
          <span className={classes.brand}>
            <Logo className={classes.logo} />
            Morpion
          </span>
          <nav aria-label="Footer">
            <ul className={classes.nav}>
              {places.map(({ to, label }) => (
                <li key={to}>
                  <Link to={to}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <div className={classes.row}>
          <p className={classes.small}>
            Run by {name}
            {contact && (
              <>
                {' · '}
                <a href={contact.href}>{contact.text}</a>
              </>
            )}
          </p>
          <p className={classes.small}>Free software under the AGPL 3.0 or later.</p>
        </div>
      </div>
    </footer>
  );
}
