import { useDispatch } from 'react-redux';
import { Link } from 'react-router';
import { localRegistration, useRegisterMutation } from '@/api/account';
import { signedIn } from '@/shared/session/sessionSlice';
import { AccountForm } from './AccountForm';
import { AuthCard } from './AuthCard';
import classes from './AuthCard.module.css';

export default function RegisterPage() {
  const dispatch = useDispatch();
  const [register, { isLoading }] = useRegisterMutation();

  return (
    <AuthCard title="Create Account" subtitle="Sign up to get started">
      <AccountForm
        action="Sign Up"
        isLoading={isLoading}
        otherwise="Registration failed"
        onSubmit={async (registration) => {
          const { data, error } = await register(localRegistration(registration));
          if (data?.isLogIn) dispatch(signedIn(data.user));
          return data?.isLogIn ? undefined : (error ?? null);
        }}
      >
        <p className={classes.small}>
          By signing up you confirm that you are at least 13 years old and, if you are under 18, that a parent or
          guardian consents.
        </p>
      </AccountForm>
      <p className={classes.switch}>
        Already have an account? <Link to="/login">Sign In</Link>
      </p>
    </AuthCard>
  );
}
