import { Link } from 'react-router';
import { LostDrawing } from '@/shared/illustrations';
import buttons from '@/shared/ui/buttons.module.css';
import { Notice } from '@/shared/ui/Notice';

export default function NotFoundScreen() {
  return (
    <Notice drawing={<LostDrawing />} title="We can't seem to find the page you're looking for">
      <meta name="robots" content="noindex" />
      <Link to="/" className={buttons.primary}>
        Back to Homepage
      </Link>
    </Notice>
  );
}
