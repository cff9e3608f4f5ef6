import { Button } from '@mantine/core';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router';
import { selectIntendedUrl, selectUser, urlIntended } from '@/shared/session/sessionSlice';
import { usePlayAsGuest } from '@/shared/session/usePlayAsGuest';
import { Failure } from '@/shared/ui/Failure';

/** Play without an account, where the server lets guests in. */
export function GuestEntry() {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const intended = useSelector(selectIntendedUrl);
  const isVisitor = useSelector(selectUser) === null;
  const { isOffered, isEntering, failure, enter } = usePlayAsGuest();
  if (!isOffered || !isVisitor) return null;

  const enterAsGuest = async () => {
    if (!(await enter())) return;
    dispatch(urlIntended(null));
    await navigate(intended ?? '/app/practice', { replace: true });
  };

  return (
    <>
      <Button variant="default" fullWidth loading={isEntering} onClick={() => void enterAsGuest()}>
        Play as a guest
      </Button>
      <Failure text={failure} />
    </>
  );
}
