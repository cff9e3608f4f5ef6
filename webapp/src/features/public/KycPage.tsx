import { Navigate } from 'react-router';
import { useGetSiteQuery } from '@/api/site';
import { SealDrawing } from '@/shared/illustrations';
import buttons from '@/shared/ui/buttons.module.css';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import classes from './KycPage.module.css';

/**
 * Links to the operator's identity verification. Without one the page is empty and the settings do not
 * link to it.
 */
export default function KycPage() {
  const { data, isLoading, isError, refetch } = useGetSiteQuery();
  if (isLoading) return <p role="status">Loading…</p>;
  if (isError) return <LoadFailure text="The server cannot be reached." onRetry={() => void refetch()} />;
  if (data?.kycUrl === undefined) return <Navigate to="/app/home" replace />;
  return (
    <section className={classes.page}>
      <title>KYC Verification · Morpion</title>
      <SealDrawing className={classes.drawing} />
      <h1>Welcome to KYC Verification</h1>
      <p>Some prizes may only be given to people whose identity was verified. It takes a few minutes, once.</p>
      <a href={data.kycUrl} className={buttons.primary}>
        Verify Now
      </a>
    </section>
  );
}
