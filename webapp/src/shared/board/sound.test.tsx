import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CALL_KEY, callSound, playCall, playMark, playStrike, SOUND_KEY } from './sound';
import { SoundSwitch } from './SoundSwitch';

/** The part of WebAudio that a scratch needs; counts started sounds. */
const started: number[] = [];
class FakeNode {
  frequency = fakeParam();
  gain = fakeParam();
  connect<T>(next: T): T {
    return next;
  }
  start(at: number) {
    started.push(at);
  }
  stop() {}
}
class FakeContext {
  currentTime = 10;
  sampleRate = 100;
  destination = {};
  resume = () => Promise.resolve();
  createBuffer = (_channels: number, length: number) => ({ getChannelData: () => new Float32Array(length) });
}
function fakeParam() {
  return { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
}

beforeEach(() => {
  started.length = 0;
  for (const name of ['AudioBufferSourceNode', 'BiquadFilterNode', 'GainNode', 'OscillatorNode'])
    vi.stubGlobal(name, FakeNode);
  vi.stubGlobal('AudioContext', FakeContext);
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

it('is silent until it is switched on, and the setting is stored', async () => {
  const user = userEvent.setup();
  render(<SoundSwitch />);
  const sound = screen.getByRole('switch', { name: 'Sound' });
  expect(sound).not.toBeChecked();
  playMark('X');
  expect(started).toEqual([]);

  await user.click(sound);
  expect(sound).toBeChecked();
  expect(localStorage.getItem(SOUND_KEY)).toBe('true');
  playMark('X');
  expect(started).toHaveLength(2);
  playMark('O');
  playStrike();
  expect(started).toHaveLength(4);

  await user.click(sound);
  playMark('O');
  expect(started).toHaveLength(4);
});

it('plays the call to a game unless that is switched off, independently of the pen sound', async () => {
  const user = userEvent.setup();
  render(<SoundSwitch setting={callSound} label="Call me to my game" />);
  const call = screen.getByRole('switch', { name: 'Call me to my game' });
  expect(call).toBeChecked();
  playMark('X');
  expect(started).toEqual([]);
  playCall();
  expect(started).toHaveLength(6);
  expect(started).toEqual(started.toSorted((a, b) => a - b));

  await user.click(call);
  expect(call).not.toBeChecked();
  expect(localStorage.getItem(CALL_KEY)).toBe('false');
  expect(localStorage.getItem(SOUND_KEY)).toBeNull();
  playCall();
  expect(started).toHaveLength(6);
});
