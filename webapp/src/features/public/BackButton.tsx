import { useLocation, useNavigate } from 'react-router';
import buttons from '@/shared/ui/buttons.module.css';
import { BackIcon } from '@/shared/ui/icons';
import classes from './PublicPage.module.css';

/** Goes back within the site, or to the landing page after an external referrer. */
export function BackButton() {
  const navigate = useNavigate();
  const isFirst = useLocation().key === 'default';
  return (
    <button
      type="button"
      className={`${buttons.button} ${classes.back}`}
      onClick={() => void (isFirst ? navigate('/') : navigate(-1))}
    >
      <BackIcon />
      Back
    </button>
  );
}
