import { Link, Navigate } from 'react-router';
import { isApiError } from '@/api/base';
import { type Proof, useGetSecondFactorOptionsQuery, useVerifySecondFactorMutation } from '@/api/secondFactor';
import { failureText } from '@/shared/account/failure';
import { ProofForm } from '@/shared/account/ProofForm';
import { useProviders } from '@/shared/session/useProviders';
import { useRealtimePaused } from '@/shared/session/useRealtimePaused';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import textLink from '@/shared/ui/textLink.module.css';
import { AuthCard } from './AuthCard';
import { useFinishSignIn } from './useFinishSignIn';
import { useRefusedSignIn } from './useRefusedSignIn';

/** The second step of a sign-in that the server keeps for 10 minutes. */
export function SecondFactorStep() {
  const entered = useFinishSignIn();
  const leadsOn = useRefusedSignIn();
  const paused = useRealtimePaused();
  // The login check comes first, as for the providers.
  const { isWaiting } = useProviders();
  const { data, error, refetch } = useGetSecondFactorOptionsQuery(undefined, {
    skip: isWaiting,
    refetchOnMountOrArgChange: true,
  });
  const [verify, { error: refused }] = useVerifySecondFactorMutation();
  const prove = async (proof: Proof) => {
    const { data, error } = await paused(() => verify(proof));
    if (leadsOn(error)) return undefined;
    if (!data?.isLogIn) return error ?? null;
    entered(data.user, data.isNew ? 'signUp' : 'signIn');
    return undefined;
  };
  if (isExpired(error) || isExpired(refused)) return <Navigate to="/login?error=sign-in-expired" replace />;

  return (
    <AuthCard
      title="Two-step verification"
      subtitle="One more step to sign in"
      isWaiting={data === undefined && error === undefined}
    >
      {error !== undefined && (
        <LoadFailure text={failureText(error, 'Request failed')} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <ProofForm
          methods={data.methods}
          action="Sign in"
          prove={prove}
          freshOptions={async () => (await refetch()).data?.passkeyOptions}
        />
      )}
      <p>
        <Link to="/login" className={textLink.link}>
          Back to sign-in
        </Link>
      </p>
    </AuthCard>
  );
}

function isExpired(error: unknown): boolean {
  return isApiError(error) && error.code === 'sign-in-expired';
}
