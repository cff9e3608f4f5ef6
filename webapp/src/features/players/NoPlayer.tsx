import { Link } from 'react-router';
import buttons from '@/shared/ui/buttons.module.css';
import { EmptyList } from '@/shared/ui/EmptyList';
import { PageHeading } from '@/shared/ui/PageHeading';

/** Nobody has a page by this name. */
export function NoPlayer({ username }: { username: string }) {
  return (
    <>
      <PageHeading title="No such player" />
      <EmptyList>
        <p>{`Nobody by the name of @${username} has a player page. Guests and deleted accounts have none.`}</p>
        <Link to="/app/practice/remote" className={buttons.button}>
          Search for a player
        </Link>
      </EmptyList>
    </>
  );
}
