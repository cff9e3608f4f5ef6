import { useSyncExternalStore } from 'react';
import type { PersonSummary } from './people/personSummary';
import { readStored, removeStored, STORAGE_KEYS, writeStored } from './storage';

/** A recent opponent; stored in this browser only. */
export interface RecentPerson extends PersonSummary {
  userId: string;
  /** ISO 8601. */
  lastPlayed: string;
  playCount: number;
}

export const RECENT_PEOPLE_KEY = STORAGE_KEYS.recentPeople;
/** The most people stored, latest first. */
export const RECENT_PEOPLE_CAP = 10;

const listeners = new Set<() => void>();
let known: { text: string | null; people: RecentPerson[] } = { text: null, people: [] };

function isRecentPerson(value: unknown): value is RecentPerson {
  if (typeof value !== 'object' || value === null) return false;
  const person = value as Record<string, unknown>;
  return (
    typeof person.userId === 'string' &&
    typeof person.username === 'string' &&
    isTextOrAbsent(person.displayName) &&
    isTextOrAbsent(person.profileUrl) &&
    (person.isBot === undefined || typeof person.isBot === 'boolean') &&
    typeof person.lastPlayed === 'string' &&
    typeof person.playCount === 'number'
  );
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** Most recent first. Returns the same array until it changes. */
export function recentPeople(): RecentPerson[] {
  const stored = readStored(RECENT_PEOPLE_KEY);
  const text = JSON.stringify(stored);
  if (known.text !== text) {
    known = { text, people: Array.isArray(stored) ? stored.filter(isRecentPerson).slice(0, RECENT_PEOPLE_CAP) : [] };
  }
  return known.people;
}

/** Whether this browser keeps a list, be it an empty one: not before the first game in it. */
export function hasRecentPeople(): boolean {
  return readStored(RECENT_PEOPLE_KEY) !== null;
}

function keep(people: RecentPerson[]): void {
  writeStored(RECENT_PEOPLE_KEY, people.slice(0, RECENT_PEOPLE_CAP));
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** Moves a person to the front and counts the game. */
export function addRecentPerson(
  { userId, username, displayName, profileUrl, isBot }: PersonSummary & { userId: string },
  now = new Date(),
): void {
  const people = recentPeople();
  const before = people.find((person) => person.userId === userId);
  const seen = { userId, username, displayName, profileUrl, ...(isBot === true ? { isBot } : {}) };
  const person = { ...seen, lastPlayed: now.toISOString(), playCount: (before?.playCount ?? 0) + 1 };
  keep([person, ...people.filter((other) => other.userId !== userId)]);
}

export function removeRecentPerson(userId: string): void {
  keep(recentPeople().filter((person) => person.userId !== userId));
}

export function clearRecentPeople(): void {
  removeStored(RECENT_PEOPLE_KEY);
  tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export function useRecentPeople(): RecentPerson[] {
  return useSyncExternalStore(subscribe, recentPeople, recentPeople);
}
