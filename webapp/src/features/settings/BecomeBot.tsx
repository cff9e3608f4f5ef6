import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { isProofDeclined } from '@/api/base';
import { useBecomeBotMutation } from '@/api/programs';
import { failureText } from '@/shared/account/failure';
import { playerPath } from '@/shared/people/playerPath';
import { userChanged } from '@/shared/session/sessionSlice';
import { useAppDispatch } from '@/shared/storeHooks';
import dialog from '@/shared/ui/dialog.module.css';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './Settings.module.css';
import { useAccount } from './useAccount';

/** Makes the account a bot, or says that it is one. */
export function BecomeBot() {
  const { username, isBot } = useAccount();
  const [isAsking, setAsking] = useState(false);
  if (isBot === true) {
    return (
      <p>
        This account is a bot, for good: everybody can see that a program plays on it.{' '}
        <Link to={playerPath(username) ?? '/app/ratings'}>Its page</Link> is what others see, and{' '}
        <Link to="/app/ratings?list=bots">the list of bots</Link> shows its rank.
      </p>
    );
  }
  return (
    <>
      <p>
        If a program plays on this account, make it a bot, so that everybody knows. An account that has played a rated
        game cannot become one: use a separate account for your program.
      </p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => setAsking(true)}>
          Make this account a bot
        </Button>
      </div>
      <Modal
        title="Make this account a bot"
        opened={isAsking}
        onClose={() => setAsking(false)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Confirmation username={username} onDone={() => setAsking(false)} />
      </Modal>
    </>
  );
}

function Confirmation({ username, onDone }: { username: string; onDone: () => void }) {
  const dispatch = useAppDispatch();
  const [become, { isLoading }] = useBecomeBotMutation();
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const isMeant = typed.trim().toLowerCase() === username.toLowerCase();
  const submit = async () => {
    setFailure(null);
    const { data, error } = await become({ username: typed.trim() });
    if (data !== undefined) {
      dispatch(userChanged(data.user));
      toast.success('This account is now a bot.');
      onDone();
    } else if (!isProofDeclined(error)) setFailure(failureText(error, 'Request failed'));
  };
  return (
    <form
      className={dialog.body}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p>
        <strong>This cannot be undone, by anybody.</strong>
      </p>
      <ul className={classes.points}>
        <li>A badge is shown wherever its name is shown.</li>
        <li>It plays casual games with people who invite it, and rated games only with other bots.</li>
        <li>It is ranked in the list of bots, and quick match pairs it only with bots.</li>
        <li>It can enter only events that allow bots.</li>
      </ul>
      <TextInput
        label={`Type ${username} to confirm`}
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Failure text={failure} />
      <div className={dialog.actions}>
        <Button variant="default" onClick={onDone} disabled={isLoading}>
          Cancel
        </Button>
        <Button type="submit" color="var(--error)" variant="outline" disabled={!isMeant} loading={isLoading}>
          Make it a bot
        </Button>
      </div>
    </form>
  );
}
