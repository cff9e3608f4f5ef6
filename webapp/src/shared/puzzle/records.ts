/** What became of the puzzles on this device, and the streak. Only this browser knows it. */

import { useSyncExternalStore } from 'react';
import { readStored, STORAGE_KEYS, writeStored } from '../storage';
import { daysAfter, isDay } from './days';

export interface PuzzleRecord {
  readonly misses: number;
  readonly hints: number;
  /** The day on which it was solved, by this device's clock. */
  readonly solvedOn: string | null;
}

/** By the day of the puzzle. */
export type PuzzleRecords = Readonly<Record<string, PuzzleRecord>>;

/** The most puzzles stored, which is ten years; the oldest go first. */
export const RECORDS_CAP = 3653;
/** What is counted of mistakes and hints; nobody is told more. */
const MOST = 99;

export const UNTRIED: PuzzleRecord = { misses: 0, hints: 0, solvedOn: null };

const listeners = new Set<() => void>();
let known: { text: string | null; records: PuzzleRecords } = { text: null, records: {} };

/** Returns the same object until it changes. */
export function puzzleRecords(): PuzzleRecords {
  const stored = readStored(STORAGE_KEYS.puzzles);
  const text = JSON.stringify(stored);
  if (known.text !== text) known = { text, records: recordsFrom(stored) };
  return known.records;
}

/** What is valid of it; storage may hold anything. */
export function recordsFrom(stored: unknown): PuzzleRecords {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {};
  const valid = Object.entries(stored as Record<string, unknown>).flatMap(([day, value]) => {
    const record = isDay(day) ? recordFrom(day, value) : null;
    return record === null ? [] : [[day, record] as const];
  });
  return Object.fromEntries(newest(valid));
}

function recordFrom(day: string, value: unknown): PuzzleRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const { misses, hints, solvedOn } = value as Record<string, unknown>;
  if (!isCount(misses) || !isCount(hints)) return null;
  if (solvedOn === null) return { misses, hints, solvedOn };
  // No puzzle is offered before its day.
  const isPossible = typeof solvedOn === 'string' && isDay(solvedOn) && solvedOn >= day;
  return isPossible ? { misses, hints, solvedOn } : null;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST;
}

function newest<T>(days: (readonly [string, T])[]): (readonly [string, T])[] {
  return days.toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(-RECORDS_CAP);
}

/** Counts a mistake or a hint, or notes that it is solved. Nothing changes once it is. */
export function notePuzzle(day: string, event: 'miss' | 'hint' | { solvedOn: string }): void {
  const records = puzzleRecords();
  const before = records[day] ?? UNTRIED;
  if (before.solvedOn !== null) return;
  const after =
    event === 'miss'
      ? { ...before, misses: Math.min(MOST, before.misses + 1) }
      : event === 'hint'
        ? { ...before, hints: Math.min(MOST, before.hints + 1) }
        : { ...before, ...event };
  writeStored(STORAGE_KEYS.puzzles, Object.fromEntries(newest(Object.entries({ ...records, [day]: after }))));
  for (const listener of listeners) listener();
}

function isOnTime(records: PuzzleRecords, day: string): boolean {
  return records[day]?.solvedOn === day;
}

/**
 * Days in a row whose puzzle was solved on the day itself, up to today, or up to yesterday while today's is open. Days that
 * lie ahead, solved while the clock was wrong, do not count.
 */
export function streakOf(records: PuzzleRecords, today: string): number {
  let day = isOnTime(records, today) ? today : daysAfter(today, -1);
  let streak = 0;
  for (; isOnTime(records, day); day = daysAfter(day, -1)) streak++;
  return streak;
}

/** The longest streak up to today. */
export function bestStreak(records: PuzzleRecords, today: string): number {
  let best = 0;
  let streak = 0;
  let before = '';
  for (const day of Object.keys(records).sort()) {
    if (day > today || !isOnTime(records, day)) continue;
    streak = before !== '' && daysAfter(before, 1) === day ? streak + 1 : 1;
    before = day;
    best = Math.max(best, streak);
  }
  return best;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export function usePuzzleRecords(): PuzzleRecords {
  return useSyncExternalStore(subscribe, puzzleRecords, puzzleRecords);
}
