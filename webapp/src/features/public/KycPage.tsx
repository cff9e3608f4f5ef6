import { useGetSiteQuery } from '@/api/site';
import { SealDrawing } from '@/shared/illustrations';
import buttons from '@/shared/ui/buttons.module.css';
import classes from './KycPage.module.css';

const UNSET_ID = 'kyc-unset';

/** Leads to where this server's operator has identities verified, if anywhere (account and platform, section 1). */
export default function KycPage() {
  const { data, isLoading, isError } = useGetSiteQuery();
  const address = data?.kycUrl;
  return (
    <section className={classes.page}>
      <title>KYC Verification · Morpion</title>
      <SealDrawing className={classes.drawing} />
      <h1>Welcome to KYC Verification</h1>
      <p>Some prizes may only be handed to people whose identity was checked. It takes a few minutes, once.</p>
      {address === undefined ? (
        <>
          <button type="button" className={buttons.primary} disabled aria-describedby={UNSET_ID}>
            Verify Now
          </button>
          <p id={UNSET_ID} className={classes.reason} role="status">
            {explain(isLoading, isError)}
          </p>
        </>
      ) : (
        <a href={address} className={buttons.primary}>
          Verify Now
        </a>
      )}
    </section>
  );
}

function explain(isLoading: boolean, isError: boolean): string {
  if (isLoading) return 'Asking the server…';
  if (isError) return 'The server cannot be reached. Try again in a moment.';
  return 'Verification is not set up on this server, and nothing here needs it.';
}
