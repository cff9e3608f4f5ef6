/**
 * The sound of a pen on paper in the light theme and of chalk in the dark one: filtered noise, generated in the browser.
 * It is off by default. The sound that calls to a game is on by default, because seconds count. Both settings are
 * stored in this browser.
 */

import { type BrowserSwitch, browserSwitch, useBrowserSwitch } from '../browserSwitch';
import { STORAGE_KEYS } from '../storage';
import { STRIKE_AFTER_MS, STRIKE_MS, STROKE_GAP_MS, STROKE_MS } from './timing';

export const SOUND_KEY = STORAGE_KEYS.sound;
export const CALL_KEY = STORAGE_KEYS.callSound;

export type SoundSetting = BrowserSwitch;

export const penSound = browserSwitch(SOUND_KEY, false);
export const callSound = browserSwitch(CALL_KEY, true);

/** A setting and its value, shared by the whole page. */
export function useSound(setting = penSound): { isOn: boolean; switchSound: (isOn: boolean) => void } {
  return { isOn: useBrowserSwitch(setting), switchSound: setting.switchTo };
}

/** Plays the sound of drawing a mark, if sound is on. */
export function playMark(mark: string): void {
  if (mark !== 'X') scratch(0, STROKE_MS.O);
  else for (const turn of [0, 1]) scratch(turn * (STROKE_MS.X + STROKE_GAP_MS), STROKE_MS.X);
}

/** Plays the sound of the stroke through a complete line, if sound is on. */
export function playStrike(): void {
  scratch(STRIKE_AFTER_MS, STRIKE_MS);
}

/** The sound of each tool: frequency band, volume and attack. */
const PEN = { lowHz: 1_400, highHz: 4_200, gain: 0.1, tap: 0.25 };
const CHALK = { lowHz: 2_600, highHz: 7_500, gain: 0.14, tap: 0.9 };

let opened: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Null if the browser has no audio. */
function audio(): AudioContext | null {
  if (typeof AudioContext === 'undefined') return null;
  opened ??= new AudioContext();
  // Browsers block sound until the first interaction; earlier sounds are not played later.
  void opened.resume();
  return opened;
}

/** Three notes that rise, in hertz, each so many milliseconds after the one before. */
const CALL_NOTES = [523.25, 659.25, 783.99];
const NOTE_GAP_MS = 170;
const NOTE_MS = 420;

/** Two notes that fall, softer than the call. */
const ALERT_NOTES = [659.25, 493.88];

/** Plays the call to a game twice, if it is on. */
export function playCall(): void {
  if (!callSound.isOn()) return;
  playNotes(CALL_NOTES, 0, 0.22);
  playNotes(CALL_NOTES, (CALL_NOTES.length + 2) * NOTE_GAP_MS, 0.22);
}

/** Plays the sound of an alert; the caller asks whether it is on. */
export function playAlert(): void {
  playNotes(ALERT_NOTES, 0, 0.12);
}

function playNotes(notes: readonly number[], delayMs: number, volume: number): void {
  const context = audio();
  if (context === null) return;
  for (const [at, frequency] of notes.entries()) {
    const start = context.currentTime + (at * NOTE_GAP_MS + delayMs) / 1000;
    const end = start + NOTE_MS / 1000;
    const note = new OscillatorNode(context, { type: 'triangle', frequency });
    const loudness = new GainNode(context, { gain: 0 });
    loudness.gain.setValueAtTime(0.001, start);
    loudness.gain.exponentialRampToValueAtTime(volume, start + 0.015);
    loudness.gain.exponentialRampToValueAtTime(0.001, end);
    note.connect(loudness).connect(context.destination);
    note.start(start);
    note.stop(end);
  }
}

/** A stroke that begins in so many milliseconds and lasts so long. */
function scratch(delayMs: number, durationMs: number): void {
  if (!penSound.isOn()) return;
  const context = audio();
  if (context === null) return;
  noise ??= grain(context);
  const isChalk = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark';
  const { lowHz, highHz, gain, tap } = isChalk ? CHALK : PEN;

  const start = context.currentTime + delayMs / 1000;
  const end = start + durationMs / 1000;
  const source = new AudioBufferSourceNode(context, { buffer: noise, loop: true });
  const lows = new BiquadFilterNode(context, { type: 'highpass', frequency: lowHz });
  const highs = new BiquadFilterNode(context, { type: 'lowpass', frequency: highHz });
  // A stroke is fastest in its middle, and a faster one sounds brighter.
  highs.frequency.setValueAtTime(highHz * 0.6, start);
  highs.frequency.linearRampToValueAtTime(highHz, (start + end) / 2);
  highs.frequency.linearRampToValueAtTime(highHz * 0.5, end);
  const loudness = new GainNode(context, { gain: 0 });
  loudness.gain.setValueAtTime(gain * (1 + tap), start);
  loudness.gain.exponentialRampToValueAtTime(gain * 0.6, start + 0.02);
  loudness.gain.linearRampToValueAtTime(gain, (start + end) / 2);
  loudness.gain.exponentialRampToValueAtTime(0.001, end);
  source.connect(lows).connect(highs).connect(loudness).connect(context.destination);
  // A random piece of the noise each time.
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
