import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';

const realSetTimeout = setTimeout;
/** Time passes in steps of this length, so that responses to the requests of a step arrive before the next one. */
const STEP_MS = 250;
/** How long each step waits for them, in real milliseconds. */
const PAUSE_MS = 5;

/** Until the end of the test `passTime` can skip time; otherwise it passes at its usual speed. */
export function useFakeTimers(): void {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
}

/** Advances the clock and runs the timers that are due. */
export async function passTime(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(Math.min(left, STEP_MS));
      await new Promise((resolve) => realSetTimeout(resolve, PAUSE_MS));
    });
  }
}
