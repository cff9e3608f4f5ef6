import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';

const realSetTimeout = setTimeout;
/** Time passes in steps of this many milliseconds, so that answers to what a step has asked arrive in between. */
const STEP_MS = 250;
/** How long each step leaves for them, in real milliseconds. */
const PAUSE_MS = 5;

/** From here to the end of the test time can be skipped by `passTime`; by itself it passes as usual. */
export function useFakeTimers(): void {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets time pass without waiting for it. */
export async function passTime(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(Math.min(left, STEP_MS));
      await new Promise((resolve) => realSetTimeout(resolve, PAUSE_MS));
    });
  }
}
