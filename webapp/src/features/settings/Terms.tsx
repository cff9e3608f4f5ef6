import { Link } from 'react-router';
import { TermsText } from '@/shared/legal';
import { Card } from '@/shared/ui/Card';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './Settings.module.css';

/** A summary of the terms, links to the legal pages, and the full text. */
export function Terms() {
  return (
    <>
      <Card title="In short">
        <p>You must be at least 13 years old and, if you are under 18, have the consent of a parent or guardian.</p>
        <p>What you entered is yours: you can take it with you, and delete your account at any time.</p>
        <nav className={classes.links} aria-label="Legal">
          <Link to="/legal" className={textLink.link}>
            Legal Information
          </Link>
          <Link to="/terms" className={textLink.link}>
            Terms &amp; Conditions
          </Link>
          <Link to="/privacy-policy" className={textLink.link}>
            Privacy Policy
          </Link>
        </nav>
      </Card>
      <TermsText />
    </>
  );
}
