/** Months as `2026-11`, in weeks that begin on Monday. */

import { daysAfter } from '@/shared/puzzle/days';

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function monthsAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The days of a month by weeks; null before the first and after the last. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`;
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const weeks: (string | null)[][] = [];
  for (let at = -before; at === -before || monthOf(daysAfter(first, at)) <= month; at += 7) {
    const week = Array.from({ length: 7 }, (_, weekday) => daysAfter(first, at + weekday));
    weeks.push(week.map((day) => (monthOf(day) === month ? day : null)));
  }
  return weeks;
}
