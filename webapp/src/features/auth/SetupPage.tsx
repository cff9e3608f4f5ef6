import { Link, useSearchParams } from 'react-router';
import { useGetSetupQuery, useSetUpMutation } from '@/api/account';
import { signedIn } from '@/shared/session/sessionSlice';
import { Splash } from '@/shared/ui/Splash';
import { AccountForm } from './AccountForm';
import { AuthCard } from './AuthCard';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './AuthCard.module.css';
import { useAppDispatch } from '@/shared/storeHooks';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { failureText } from '@/shared/account/failure';
import { mayRetry } from '@/api/base';

/** Target of the one-time link that the server prints while it has no admin. */
export default function SetupPage() {
  const dispatch = useAppDispatch();
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  const { data: setup, error, isLoading: isAsking, isFetching, refetch } = useGetSetupQuery({ token });
  const [setUp, { isLoading }] = useSetUpMutation();

  if (isAsking) return <Splash />;
  if (error !== undefined) {
    return (
      <AuthCard title="Welcome to Morpion" subtitle="Create the first admin of this server">
        <LoadFailure
          text={failureText(error, 'Request failed')}
          onRetry={mayRetry(error) ? () => void refetch() : undefined}
          isBusy={isFetching}
        />
      </AuthCard>
    );
  }
  if (!setup?.open) {
    return (
      <AuthCard
        title="This link no longer works"
        subtitle="It works once, within 30 minutes, and only while there is no admin"
      >
        <p className={classes.small}>
          Start the server again for a new link, or make an admin with <code>morpion admin create</code>.
        </p>
        <p className={classes.switch}>
          <Link to="/login" className={textLink.link}>
            Sign in
          </Link>
        </p>
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Welcome to Morpion" subtitle="Create the first admin of this server">
      <AccountForm
        action="Create admin"
        isLoading={isLoading}
        otherwise="Registration failed"
        onSubmit={async (registration) => {
          const { data, error } = await setUp({ ...registration, token });
          if (data?.isLogIn) dispatch(signedIn(data.user));
          return data?.isLogIn ? undefined : (error ?? null);
        }}
      />
    </AuthCard>
  );
}
