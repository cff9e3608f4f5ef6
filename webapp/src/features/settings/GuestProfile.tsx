import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { User } from '@/api/account';
import { useGuestGames } from '@/shared/session/useGuestGames';
import { Card } from '@/shared/ui/Card';
import classes from './Settings.module.css';

/** What a guest has instead of a profile: what is lost without an account, and the way to one. */
export function GuestProfile({ user }: { user: User }) {
  const games = useGuestGames();
  useEffect(() => {
    if (games === 0) return undefined;
    // Browsers ask in their own words; the page behind says what it is about.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [games]);
  return (
    <Card title="Your profile">
      <p>
        You play as <strong>{user.displayName || user.username}</strong>, a guest of this browser.
      </p>
      <p>
        Your name and your {games > 1 ? `${games} games` : games === 1 ? 'game' : 'games'} are lost when you sign out,
        when this browser clears its data, or after 30 days without a visit. An account keeps all of it, and has a
        picture, a name of your choice, rated games and events.
      </p>
      <div className={classes.actions}>
        <Button component={Link} to="/register">
          Create an account
        </Button>
      </div>
    </Card>
  );
}
