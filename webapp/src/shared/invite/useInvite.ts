import { useNavigate } from 'react-router';
import { useCreateGameMutation } from '@/api/game';
import { errorText } from '@/api/base';
import type { PersonSummary } from '../people/personSummary';
import { addRecentPerson } from '../recentPeople';
import type { TimeControl } from '../quickMatch/wish';
import { selectUser } from '../session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';

/** Available board sizes. */
export const BOARD_SIZES = [3, 4, 5, 6] as const;
export const DEFAULT_BOARD_SIZE = 3;
export const CREATE_FAILED = 'Failed to create game';

interface Invite {
  /** The opponent; absent for an open seat that a link fills. */
  opponent?: PersonSummary & { userId: string };
  boardSize: number;
  clock?: TimeControl;
}

/** Creates an invite game and opens it. Resolves with an error message, or null. */
export function useInvite(): { invite: (invite: Invite) => Promise<string | null>; isCreating: boolean } {
  const user = useAppSelector(selectUser);
  const navigate = useNavigate();
  const [createGame, { isLoading }] = useCreateGameMutation();

  const invite = async ({ opponent, boardSize, clock = 'none' }: Invite): Promise<string | null> => {
    if (user === null) return CREATE_FAILED;
    const { data, error } = await createGame({
      ...(opponent === undefined ? {} : { opponent: { userId: opponent.userId, username: opponent.username } }),
      initiator: { userId: user.userId, username: user.username },
      boardSize,
      clock,
    });
    if (data === undefined) return errorText(error, CREATE_FAILED);
    if (opponent !== undefined) addRecentPerson(opponent);
    await navigate(`/app/game/${data.game.gameId}`);
    return null;
  };

  return { invite, isCreating: isLoading };
}
