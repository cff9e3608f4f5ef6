import { Button } from '@mantine/core';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { useGetProvidersQuery, usePlayAsGuestMutation } from '@/api/account';
import { signedIn } from '@/shared/session/sessionSlice';
import classes from './AuthCard.module.css';
import { failureText } from './failure';

/** Play without an account, where the server lets guests in. */
export function GuestEntry() {
  const dispatch = useDispatch();
  const { data: providers } = useGetProvidersQuery();
  const [enter, { isLoading }] = usePlayAsGuestMutation();
  const [failure, setFailure] = useState<string | null>(null);
  if (!providers?.guests) return null;

  const enterAsGuest = async () => {
    setFailure(null);
    const { data, error } = await enter({ empty: {} });
    if (data?.isLogIn) dispatch(signedIn(data.user));
    else setFailure(failureText(error, 'Login failed'));
  };

  return (
    <>
      <Button variant="default" fullWidth loading={isLoading} onClick={() => void enterAsGuest()}>
        Play as a guest
      </Button>
      <div role="alert" className={classes.alert}>
        {failure !== null && <p className={classes.failure}>{failure}</p>}
      </div>
    </>
  );
}
