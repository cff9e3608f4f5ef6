import { useLocation, useNavigate } from 'react-router';
import buttons from '@/shared/ui/buttons.module.css';
import { BackIcon } from '@/shared/ui/icons';
import classes from './PublicPage.module.css';

/** To where one came from; whoever came from elsewhere gets to the landing page. */
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
