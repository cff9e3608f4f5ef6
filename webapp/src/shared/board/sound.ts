/**
 * The sound of a pen on paper by day, of chalk on a board by night: filtered noise, made in the browser. Off until somebody
 * switches it on; the choice stays in this browser.
 */

import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../storage';
import { STRIKE_AFTER_MS, STRIKE_MS, STROKE_GAP_MS, STROKE_MS } from './timing';

export const SOUND_KEY = 'morpion_sound';

const listeners = new Set<() => void>();

function isSoundOn(): boolean {
  return readStored(SOUND_KEY) === true;
}

function switchSound(isOn: boolean): void {
  writeStored(SOUND_KEY, isOn);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The switch and its position, the same everywhere on the page. */
export function useSound(): { isOn: boolean; switchSound: (isOn: boolean) => void } {
  return { isOn: useSyncExternalStore(subscribe, isSoundOn), switchSound };
}

/** Plays what writing the mark sounds like, if sound is on. */
export function playMark(mark: string): void {
  if (mark !== 'X') scratch(0, STROKE_MS.O);
  else for (const turn of [0, 1]) scratch(turn * (STROKE_MS.X + STROKE_GAP_MS), STROKE_MS.X);
}

/** Plays the stroke through a complete line, if sound is on. */
export function playStrike(): void {
  scratch(STRIKE_AFTER_MS, STRIKE_MS);
}

/** How each sounds: the band of noise that is heard, how loud, and how hard the point is set down. */
const PEN = { lowHz: 1_400, highHz: 4_200, gain: 0.1, tap: 0.25 };
const CHALK = { lowHz: 2_600, highHz: 7_500, gain: 0.14, tap: 0.9 };

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** A stroke that begins in so many milliseconds and lasts so long. */
function scratch(delayMs: number, durationMs: number): void {
  if (!isSoundOn() || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // A browser holds sound back until the person has done something; what was played before that is not made up for.
  void context.resume();
  noise ??= grain(context);
  const isChalk = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark';
  const { lowHz, highHz, gain, tap } = isChalk ? CHALK : PEN;

  const start = context.currentTime + delayMs / 1000;
  const end = start + durationMs / 1000;
  const source = new AudioBufferSourceNode(context, { buffer: noise, loop: true });
  const lows = new BiquadFilterNode(context, { type: 'highpass', frequency: lowHz });
  const highs = new BiquadFilterNode(context, { type: 'lowpass', frequency: highHz });
  // A hand is fastest in the middle of a stroke, and a faster point sounds brighter.
  highs.frequency.setValueAtTime(highHz * 0.6, start);
  highs.frequency.linearRampToValueAtTime(highHz, (start + end) / 2);
  highs.frequency.linearRampToValueAtTime(highHz * 0.5, end);
  const loudness = new GainNode(context, { gain: 0 });
  loudness.gain.setValueAtTime(gain * (1 + tap), start);
  loudness.gain.exponentialRampToValueAtTime(gain * 0.6, start + 0.02);
  loudness.gain.linearRampToValueAtTime(gain, (start + end) / 2);
  loudness.gain.exponentialRampToValueAtTime(0.001, end);
  source.connect(lows).connect(highs).connect(loudness).connect(context.destination);
  // Never the same piece of noise twice.
  source.start(start, Math.random());
  source.stop(end);
}

/** Noise whose loudness flutters, as paper and slate are rough. */
function grain(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate * 2, context.sampleRate);
  const samples = buffer.getChannelData(0);
  let roughness = 1;
  for (let at = 0; at < samples.length; at++) {
    if (at % 160 === 0) roughness = 0.45 + 0.55 * Math.random();
    samples[at] = (Math.random() * 2 - 1) * roughness;
  }
  return buffer;
}
