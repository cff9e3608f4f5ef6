import { Menu } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { isApiError } from '@/api/base';
import { usePersonQuery } from '@/api/people';
import { selectUser } from '../session/sessionSlice';
import { useAppDispatch, useAppSelector } from '../storeHooks';
import { MoreIcon } from '../ui/icons';
import { nameOf } from './personSummary';
import { playerPath } from './playerPath';
import classes from './PersonMenu.module.css';
import { type Met, reportBegun } from './reportSlice';
import { useBlocking } from './useBlocking';

interface PersonMenuProps {
  person: Met;
  /** The game in which they are met. */
  gameId?: string | undefined;
  /** Covers the element around it, which has a position and keeps 1 rem free for the dots at its end. */
  covers?: boolean;
  /** The page behind it must stay open: the player's page opens in another tab. */
  keepsPage?: boolean;
  /** Called when something was chosen. */
  onChosen?: (() => void) | undefined;
}

/** Leads to a person's page, reports or blocks them; nothing for oneself and for visitors. */
export function PersonMenu({ person, gameId, covers = false, keepsPage = false, onChosen }: PersonMenuProps) {
  const userId = useAppSelector(selectUser)?.userId;
  const [isOpen, setOpen] = useState(false);
  if (userId === undefined || userId === person.userId) return null;
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={220} hideDetached={false}>
      <Menu.Target>
        <button
          type="button"
          className={covers ? classes.cover : classes.icon}
          aria-label={`More about ${nameOf(person)}`}
        >
          <MoreIcon />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {isOpen && <Choices person={person} gameId={gameId} keepsPage={keepsPage} onChosen={onChosen} />}
      </Menu.Dropdown>
    </Menu>
  );
}

function Choices({ person, gameId, keepsPage = false, onChosen }: Omit<PersonMenuProps, 'covers'>) {
  const dispatch = useAppDispatch();
  const isGuest = useAppSelector(selectUser)?.isTempUser ?? false;
  const { data, error, isLoading } = usePersonQuery(person.userId, { refetchOnMountOrArgChange: true });
  const { block, unblock } = useBlocking();
  if (isApiError(error) && error.status === 404) {
    return (
      <Menu.Item className={classes.item} disabled>
        This account was deleted.
      </Menu.Item>
    );
  }
  const isBlocked = data?.blockedByMe ?? false;
  const report = () => {
    // The person as they are now; what a game keeps may be older.
    dispatch(reportBegun({ person: data ?? person, gameId: gameId ?? null }));
    onChosen?.();
  };
  const change = () => {
    void (isBlocked ? unblock : block)(person);
    onChosen?.();
  };
  const page = data?.isTempUser === false ? playerPath(data.username) : undefined;
  return (
    <>
      {page !== undefined && (
        <Menu.Item
          className={classes.item}
          component={Link}
          to={page}
          {...(keepsPage ? { target: '_blank' } : {})}
          onClick={onChosen}
        >
          Player page
        </Menu.Item>
      )}
      <Menu.Item className={classes.item} disabled={isGuest} onClick={report}>
        Report…
        {isGuest && <small>You need an account for this.</small>}
      </Menu.Item>
      <Menu.Item className={classes.item} disabled={isLoading} onClick={change}>
        {isBlocked ? 'Unblock' : 'Block'}
      </Menu.Item>
    </>
  );
}
