import { Link } from 'react-router';
import { selectQuickMatch } from '@/shared/quickMatch/quickMatchSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { Card } from '@/shared/ui/Card';
import { PageHeading } from '@/shared/ui/PageHeading';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './QuickMatchPage.module.css';
import { Found, Searching } from './Searching';
import { WishForm } from './WishForm';

/** Quick match: docs/behaviour/webapp.md#quick-match. */
export default function QuickMatchPage() {
  const { wish, found, notice } = useAppSelector(selectQuickMatch);
  return (
    <>
      <PageHeading title="Quick match" back={{ to: '/app/home', label: 'Back to Home' }}>
        Find an opponent at your level.
      </PageHeading>
      {notice !== null && (
        <p role="status" className={classes.notice}>
          {notice.text}{' '}
          {notice.code === 'in-event-queue' && (
            <Link to="/app/events" className={textLink.link}>
              Open your events
            </Link>
          )}
        </p>
      )}
      <div className={classes.page}>
        {found !== null ? (
          <Found found={found} />
        ) : wish !== null ? (
          <Searching wish={wish} />
        ) : (
          <Card title="What would you like to play?">
            <WishForm />
          </Card>
        )}
      </div>
    </>
  );
}
