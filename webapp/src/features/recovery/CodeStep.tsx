import { Button } from '@mantine/core';
import { useRequestVerificationCodeMutation, useValidateVerificationCodeMutation } from '@/api/account';
import { failureText } from '@/shared/account/failure';
import { useEmailCodeForm } from '@/shared/account/useEmailCodeForm';
import { Failure } from '@/shared/ui/Failure';
import { toast } from '@/shared/ui/toast';
import classes from './RecoveryPage.module.css';

interface CodeStepProps {
  email: string;
  onValidated: () => void;
  onOtherEmail: () => void;
}

export function CodeStep({ email, onValidated, onOtherEmail }: CodeStepProps) {
  const [validate, { isLoading }] = useValidateVerificationCodeMutation();
  const [request, requesting] = useRequestVerificationCodeMutation();
  const { submit, field, failure, setFailure } = useEmailCodeForm({
    verify: async (code) => {
      const { error } = await validate({ email, code });
      if (error === undefined) onValidated();
      return error;
    },
    showsFieldErrors: false,
  });
  const sendAgain = async () => {
    setFailure(null);
    const { error } = await request({ email });
    if (error === undefined) toast.success('Another code is on its way.');
    else setFailure(failureText(error, 'Request failed'));
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p>
        If <strong className={classes.email}>{email}</strong> has an account here, we have sent a code to it. The code
        works for 10 minutes.
      </p>
      {field}
      <Failure text={failure} />
      <Button type="submit" loading={isLoading} fullWidth>
        Continue
      </Button>
      <Button variant="default" loading={requesting.isLoading} fullWidth onClick={() => void sendAgain()}>
        Send another code
      </Button>
      <Button variant="default" fullWidth onClick={onOtherEmail}>
        Use another email
      </Button>
    </form>
  );
}
