import { addListener, type ThunkDispatch, type UnknownAction } from '@reduxjs/toolkit';
import { proofAsked, proofEnded } from './sessionSlice';

/**
 * Asks the user to prove that it is them, and resolves with whether they did. Calls that ask at the same time wait for
 * the same dialog.
 */
export function askForProof(dispatch: ThunkDispatch<unknown, unknown, UnknownAction>): Promise<boolean> {
  return new Promise((resolve) => {
    dispatch(
      addListener({
        actionCreator: proofEnded,
        effect: ({ payload }, { unsubscribe }) => {
          unsubscribe();
          resolve(payload);
        },
      }),
    );
    dispatch(proofAsked());
  });
}
