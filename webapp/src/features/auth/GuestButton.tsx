import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import { selectIntendedUrl, selectUser, urlIntended } from '@/shared/session/sessionSlice';
import { usePlayAsGuest } from '@/shared/session/usePlayAsGuest';
import { Failure } from '@/shared/ui/Failure';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/** Signs in as a guest, if the server allows guests. */
export function GuestButton() {
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const intended = useAppSelector(selectIntendedUrl);
  const isVisitor = useAppSelector(selectUser) === null;
  const { isOffered, isEntering, failure, enter } = usePlayAsGuest();
  if (isOffered === false || !isVisitor) return null;

  const enterAsGuest = async () => {
    if (!(await enter())) return;
    dispatch(urlIntended(null));
    await navigate(intended ?? '/app/practice', { replace: true });
  };

  return (
    <>
      <Button
        variant="default"
        data-offer={isOffered === null ? 'guests' : undefined}
        fullWidth
        loading={isEntering}
        onClick={() => void enterAsGuest()}
      >
        Play as a guest
      </Button>
      <Failure text={failure} />
    </>
  );
}
