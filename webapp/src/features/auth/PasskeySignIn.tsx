import { Button } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useGetPasskeyOptionsMutation, useLoginWithPasskeyMutation } from '@/api/secondFactor';
import { failureText } from '@/shared/account/failure';
import { getPasskey, hasPasskeys, suggestsPasskeys } from '@/shared/account/passkeys';
import { useRealtimePaused } from '@/shared/session/useRealtimePaused';
import { Failure } from '@/shared/ui/Failure';
import { useFinishSignIn } from './useFinishSignIn';
import { useRefusedSignIn } from './useRefusedSignIn';

/** Suggestions are renewed this often: the server's challenge is good for 5 minutes. */
const RENEW_MS = 240_000;

interface PasskeySignInProps {
  keepGuestGames: boolean;
}

/** Signs in with a passkey alone: by a button, and where the browser can, by its suggestion in the email field. */
export function PasskeySignIn({ keepGuestGames }: PasskeySignInProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [getOptions] = useGetPasskeyOptionsMutation();
  const signIn = useSignIn(keepGuestGames, setFailure);
  const suggestion = useSuggestion(signIn);

  const choose = async () => {
    setFailure(null);
    setBusy(true);
    // A page can have one open question to the browser.
    suggestion.stop();
    const { data, error } = await getOptions();
    const asked = data === undefined ? { failure: failureText(error, 'Login failed') } : await getPasskey(data.options);
    if (asked.failure === undefined) await signIn(asked.credential);
    else setFailure(asked.failure);
    setBusy(false);
    suggestion.renew();
  };

  if (!hasPasskeys()) return null;
  return (
    <>
      <Button variant="default" fullWidth loading={isBusy} onClick={() => void choose()}>
        Sign in with a passkey
      </Button>
      <Failure text={failure} />
    </>
  );
}

function useSignIn(keepGuestGames: boolean, onFailure: (text: string) => void) {
  const entered = useFinishSignIn();
  const leadsOn = useRefusedSignIn();
  const paused = useRealtimePaused();
  const [login] = useLoginWithPasskeyMutation();
  return useCallback(
    async (credential: unknown) => {
      const { data, error } = await paused(() => login({ credential, ...(keepGuestGames ? { keepGuestGames } : {}) }));
      if (data?.isLogIn) entered(data.user, 'signIn');
      else if (!leadsOn(error)) onFailure(failureText(error, 'Login failed'));
    },
    [entered, leadsOn, paused, login, keepGuestGames, onFailure],
  );
}

/** Has the browser suggest passkeys in the email field while the page is open. */
function useSuggestion(onChosen: (credential: unknown) => Promise<void>) {
  const [getOptions] = useGetPasskeyOptionsMutation();
  const [round, setRound] = useState(0);
  const open = useRef<AbortController | null>(null);
  const latest = useRef(onChosen);
  useEffect(() => {
    latest.current = onChosen;
  }, [onChosen]);
  const renew = useCallback(() => setRound((before) => before + 1), []);

  useEffect(() => {
    const asking = new AbortController();
    const { signal } = asking;
    open.current = asking;
    const timer = setTimeout(renew, RENEW_MS);
    const suggest = async () => {
      if (!(await suggestsPasskeys()) || signal.aborted) return;
      // The browser suggests none then; nobody has asked for it.
      const { data, error } = await getOptions();
      if (error !== undefined || signal.aborted) return;
      const { credential } = await getPasskey(data.options, { mediation: 'conditional', signal });
      if (credential === undefined || signal.aborted) return;
      await latest.current(credential);
      renew();
    };
    void suggest();
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [round, renew, getOptions]);

  return { renew, stop: useCallback(() => open.current?.abort(), []) };
}
