import { Link } from 'react-router';
import { usePlansQuery } from '@/api/subscription';
import { selectUser } from '@/shared/session/sessionSlice';
import { Brand } from '@/shared/ui/Brand';
import { ConnectionBanner } from '@/shared/ui/ConnectionBanner';
import { BackIcon } from '@/shared/ui/icons';
import { ThemeSwitch } from '@/shared/ui/ThemeSwitch';
import { CrownDrawing } from './CrownDrawing';
import Membership from './Membership';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './ProPage.module.css';
import { useAppSelector } from '@/shared/storeHooks';
import { ifKnown } from '@/shared/ui/Loaded';

/** /app/pro: a panel about the user, and the subscription beside it. */
export default function ProPage() {
  const user = useAppSelector(selectUser);
  const plans = ifKnown(usePlansQuery());
  const invitation = plans?.configured === true ? 'Become a Member' : 'Morpion Pro';
  const title = user?.isProUser ? `Welcome back ${user.username}` : invitation;
  return (
    <div className={classes.frame}>
      <title>{`${title} · Morpion`}</title>
      <ConnectionBanner />
      <header className={classes.panel}>
        <div className={classes.top}>
          <Brand to="/app/home" />
          <ThemeSwitch />
        </div>
        <div className={classes.words}>
          <h1>{title}</h1>
          <CrownDrawing className={classes.drawing} />
        </div>
        <Link to="/app/home" className={`${textLink.link} ${classes.back}`}>
          <BackIcon />
          Back to Home
        </Link>
      </header>
      <main className={classes.content}>
        <Membership />
      </main>
    </div>
  );
}
