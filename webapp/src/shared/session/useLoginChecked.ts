import { useCallback } from 'react';
import { accountApi } from '@/api/account';
import { useAppDispatch } from '@/shared/storeHooks';

/** Waits for a login check that is under way: its answer would overwrite what a sign-in meanwhile has set. */
export function useLoginChecked(): () => Promise<void> {
  const dispatch = useAppDispatch();
  return useCallback(async () => {
    await dispatch(accountApi.util.getRunningQueryThunk('checkLogin', undefined));
  }, [dispatch]);
}
