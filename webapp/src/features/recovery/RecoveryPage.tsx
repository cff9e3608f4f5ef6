import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { PasswordSet } from '@/shared/account/passwordSet';
import { signedOut } from '@/shared/session/sessionSlice';
import { CodeStep } from './CodeStep';
import { EmailStep } from './EmailStep';
import { keepStep, keptStep, type Step } from './recoveryStep';
import { PasswordStep } from './PasswordStep';
import formCard from '@/shared/ui/formCard.module.css';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './RecoveryPage.module.css';
import { useAppDispatch } from '@/shared/storeHooks';

const WORDS = {
  email: { title: 'Forgot your password?', subtitle: 'Enter your email and we’ll send you a code' },
  code: { title: 'Check your email', subtitle: 'Enter the verification code' },
  password: { title: 'Set a new password', subtitle: 'You will need it to sign in on every device' },
} as const;

/** /changepassword: email, code, new password; each step requires the one before. */
export default function RecoveryPage() {
  const [step, setStep] = useState(keptStep);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const { title, subtitle } = WORDS[step.name];

  const go = (next: Step) => {
    keepStep(next);
    setStep(next);
  };
  const finish = async (email: string) => {
    keepStep({ name: 'email' });
    // A new password ends all sessions, including this browser's.
    dispatch(signedOut({ hasSignedOut: false }));
    await navigate('/login', { state: { passwordSetFor: email } satisfies PasswordSet });
  };

  return (
    <section className={formCard.card}>
      <title>{`${title} · Morpion`}</title>
      <div className={classes.heading}>
        <p>Step {Object.keys(WORDS).indexOf(step.name) + 1} of 3</p>
        <h1>{title}</h1>
        <p>{subtitle}</p>
      </div>
      {step.name === 'email' && <EmailStep onSent={(email) => go({ name: 'code', email })} />}
      {step.name === 'code' && (
        <CodeStep
          email={step.email}
          onValidated={() => go({ name: 'password', email: step.email })}
          onOtherEmail={() => go({ name: 'email' })}
        />
      )}
      {step.name === 'password' && (
        <PasswordStep
          email={step.email}
          onChanged={() => void finish(step.email)}
          onStartAgain={() => go({ name: 'email' })}
        />
      )}
      <p className={classes.switch}>
        Remember your login?{' '}
        <Link to="/login" className={textLink.link}>
          Click here
        </Link>
      </p>
    </section>
  );
}
