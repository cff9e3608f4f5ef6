/**
 * Days of the puzzle, as `2026-11-23`. They are days of UTC, so that everybody has the same puzzle at the same moment, and
 * a journey across time zones neither gives nor takes a day.
 */

import { useEffect, useState } from 'react';
import { dayNumber } from '@/engine/puzzleDay';

const DAY_MS = 86_400_000;

/** The first day whose puzzle is offered, which is number 1. */
export const FIRST_DAY = '2026-01-01';

export function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function daysAfter(day: string, days: number): string {
  return dayAt((dayNumber(day) + days) * DAY_MS);
}

/** The number of a day's puzzle. */
export function puzzleNumber(day: string): number {
  return dayNumber(day) - dayNumber(FIRST_DAY) + 1;
}

export function isDay(text: string): boolean {
  try {
    dayNumber(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the puzzle of this day, which may be any text, is offered today. ISO days sort as text. */
export function isOffered(text: string, today: string): boolean {
  return isDay(text) && text >= FIRST_DAY && text <= today;
}

/** A day in words, in the reader's language. */
export function dayText(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(undefined, { ...options, timeZone: 'UTC' });
}

/** The time until the next puzzle, in milliseconds. */
export function untilNextDay(now: number): number {
  return DAY_MS - (now % DAY_MS);
}

/** Today, also on a page that stays open over midnight or on a device that slept. */
export function useToday(): string {
  const [today, setToday] = useState(() => dayAt(Date.now()));
  useEffect(() => {
    const look = () => setToday(dayAt(Date.now()));
    const timer = setTimeout(look, untilNextDay(Date.now()) + 50);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [today]);
  return today;
}
