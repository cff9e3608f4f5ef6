import { Link } from 'react-router';
import { Logo } from '@/shared/illustrations';
import classes from './Brand.module.css';

/** Logo and product name. */
export function Brand({ to }: { to: string }) {
  return (
    <Link to={to} className={classes.brand}>
      <Logo className={classes.logo} />
      <span>Morpion</span>
    </Link>
  );
}
