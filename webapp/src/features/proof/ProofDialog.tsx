import { Button, Modal } from '@mantine/core';
import { useLocation } from 'react-router';
import { useGetProvidersQuery } from '@/api/account';
import { type Proof, type ProofMethod, useGetProofOptionsQuery, useProveMutation } from '@/api/secondFactor';
import { failureText } from '@/shared/account/failure';
import { ProofForm } from '@/shared/account/ProofForm';
import { proofEnded, urlIntended } from '@/shared/session/sessionSlice';
import { providersOf, startOf } from '@/shared/session/useProviders';
import { useAppDispatch } from '@/shared/storeHooks';
import buttons from '@/shared/ui/buttons.module.css';
import dialog from '@/shared/ui/dialog.module.css';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { useReturnFocus } from '@/shared/ui/useReturnFocus';
import { ifKnown } from '@/shared/ui/Loaded';

/** Asks for a proof that it is the owner; the calls that need one wait meanwhile (askForProof.ts). */
export default function ProofDialog() {
  useReturnFocus();
  const dispatch = useAppDispatch();
  const { data, error, refetch } = useGetProofOptionsQuery(undefined, { refetchOnMountOrArgChange: true });
  const [send] = useProveMutation();
  const prove = async (proof: Proof) => {
    const { error } = await send(proof);
    if (error === undefined) dispatch(proofEnded(true));
    return error;
  };
  const cancel = (
    <Button variant="default" onClick={() => dispatch(proofEnded(false))}>
      Cancel
    </Button>
  );
  return (
    <Modal
      opened
      closeOnEscape
      onClose={() => dispatch(proofEnded(false))}
      title="Confirm it’s you"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={dialog.body}>
        <p>Please confirm that it’s you. We won’t ask again for 10 minutes.</p>
        {error !== undefined && (
          <LoadFailure text={failureText(error, 'Request failed')} onRetry={() => void refetch()} />
        )}
        {data !== undefined && (
          <ProofForm
            methods={withoutDetour(data.methods)}
            action="Confirm"
            prove={prove}
            freshOptions={async () => (await refetch()).data?.passkeyOptions}
            provider={<ProviderProof cancel={cancel} />}
            cancel={cancel}
          />
        )}
      </div>
    </Modal>
  );
}

/** With a second factor another sign-in would ask for it as well. */
function withoutDetour(methods: readonly ProofMethod[]): ProofMethod[] {
  const hasFactor = methods.some((method) => method === 'totp' || method === 'passkey');
  return methods.filter((method) => method !== 'provider' || !hasFactor);
}

/** A new sign-in is a proof: the browser goes to the provider, and comes back to this page. */
function ProviderProof({ cancel }: { cancel: React.ReactNode }) {
  const dispatch = useAppDispatch();
  const { pathname, search } = useLocation();
  const all = providersOf(ifKnown(useGetProvidersQuery()));
  return (
    <>
      <p>Sign in again to return to this page. You will have to re-enter anything you typed here.</p>
      <div className={dialog.actions}>
        {cancel}
        {(all.length === 0 ? [undefined] : all).map((provider) => (
          <a
            key={provider?.id ?? ''}
            href={startOf(provider)}
            className={buttons.primary}
            onClick={() => dispatch(urlIntended(pathname + search))}
          >
            Sign in again with {provider?.name ?? 'your provider'}
          </a>
        ))}
      </div>
    </>
  );
}
