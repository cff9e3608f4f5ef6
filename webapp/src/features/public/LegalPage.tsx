import { Link } from 'react-router';
import { LAST_LEGAL_UPDATE } from '@/shared/legal/updated';
import classes from './LegalPage.module.css';
import { PublicPage } from './PublicPage';

const TEXTS = [
  {
    to: '/terms',
    label: 'Terms & Conditions',
    about: 'The rules of playing here, and what you and the operator owe each other.',
  },
  {
    to: '/privacy-policy',
    label: 'Privacy Policy',
    about: 'What is kept about you, for how long, and how it goes away.',
  },
  { to: '/cookies', label: 'Cookies Policy', about: 'Every note this site leaves in your browser, by name.' },
] as const;

/** Overview of the legal texts. */
export default function LegalPage() {
  return (
    <PublicPage path="/legal" heading="Legal Information" updated={LAST_LEGAL_UPDATE}>
      <ul className={classes.ways}>
        {TEXTS.map(({ to, label, about }) => (
          <li key={to}>
            <Link to={to} className={classes.way}>
              <h2>{label}</h2>
              <p>{about}</p>
            </Link>
          </li>
        ))}
      </ul>
    </PublicPage>
  );
}
