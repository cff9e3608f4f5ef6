import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSignUpByCodeMutation } from '@/api/events';
import { failureText } from '@/shared/account/failure';
import { AccountNeeded } from '@/shared/events/AccountNeeded';
import { codeError, codeOfHash, JOIN_PATH, joinPath, typedCode } from '@/shared/events/joinCode';
import { eventPath } from '@/shared/events/postGameRedirect';
import { TicketDrawing } from '@/shared/illustrations';
import { selectUser } from '@/shared/session/sessionSlice';
import { useAppSelector } from '@/shared/storeHooks';
import { Failure } from '@/shared/ui/Failure';
import formCard from '@/shared/ui/formCard.module.css';
import { PageHeading } from '@/shared/ui/PageHeading';
import { toast } from '@/shared/ui/toast';
import classes from './JoinPage.module.css';

/** /join#CODE enters a private event; the code may also be typed. */
export default function JoinPage() {
  const { text, setText } = useLinkedCode();
  const [wrong, setWrong] = useState<string | null>(null);
  const [enter, { isLoading, error, reset }] = useSignUpByCodeMutation();
  const navigate = useNavigate();
  const user = useAppSelector(selectUser);
  const isMember = user !== null && !user.isTempUser;
  const code = typedCode(text);

  const send = async (submit: FormEvent) => {
    submit.preventDefault();
    const found = codeError(code);
    setWrong(found);
    reset();
    if (found !== null) {
      document.querySelector<HTMLInputElement>('input[name="joinCode"]')?.focus();
      return;
    }
    const { data } = await enter(code);
    if (data === undefined) return;
    toast.success('You are in.');
    await navigate(eventPath(data.signup.eventId), { replace: true });
  };

  return (
    <>
      <PageHeading title="Join a private event" back={{ to: '/app/events', label: 'Back to events' }} />
      <form className={`${formCard.card} ${classes.form}`} onSubmit={(submit) => void send(submit)} noValidate>
        <TicketDrawing className={classes.drawing} />
        <TextInput
          label="Join code"
          name="joinCode"
          description="You get it from the host of the event. Capitals, spaces and dashes do not matter."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="ABCD-EFGH-JKMN-PQRS"
          classNames={{ input: classes.code ?? '' }}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={text}
          error={wrong}
          onChange={(change) => {
            setText(change.currentTarget.value);
            setWrong(null);
          }}
        />
        <Failure text={error === undefined ? null : failureText(error, 'Failed to enter the event')} />
        {isMember ? (
          <Button type="submit" loading={isLoading} fullWidth>
            Enter Event
          </Button>
        ) : (
          <AccountNeeded comeBackTo={codeError(code) === null ? joinPath(code) : JOIN_PATH} />
        )}
      </form>
    </>
  );
}

/** The text of the field. A code in the address fills it, and is taken out of the address: whoever sees that could enter. */
function useLinkedCode() {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const linked = codeOfHash(hash);
  // The link to the content of the page is no code.
  const isCode = linked !== '' && hash !== '#content';
  const [text, setText] = useState(isCode ? linked : '');
  const [taken, setTaken] = useState(linked);
  if (isCode && linked !== taken) {
    setTaken(linked);
    setText(linked);
  }
  useEffect(() => {
    if (isCode) void navigate(pathname, { replace: true });
  }, [isCode, pathname, navigate]);
  return { text, setText };
}
