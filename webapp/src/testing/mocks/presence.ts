/** Who of an event's players is there, and who follows it: docs/behaviour/events.md#who-is-there. */

import type { components } from '@/api/schema';
import type { MockEvent } from './mockEvent';
import type { MockServer } from './mockServer';
import type { Send } from './rooms';

type Presence = components['schemas']['Presence'];

/** Pause between two frames, in milliseconds. */
const TELL_EVERY_MS = 2_000;

/** Whether there is anything to tell. */
export function hasPresence({ state }: MockEvent): boolean {
  return state === 'published' || state === 'started';
}

export function presenceOf(mock: MockServer, event: MockEvent, userId: string): Presence {
  return mock.events.presenceOf(event, userId, {
    isConnected: mock.rooms.isConnected(userId),
    isSelf: mock.viewer?.userId === userId,
  });
}

export class MockPresence {
  /** By connection and event: stops the frames. */
  readonly #followers = new Map<Send, Map<string, () => void>>();

  /** Tells everybody at first, then whoever changed. */
  follow(mock: MockServer, event: MockEvent, send: Send): void {
    const { eventId } = event;
    this.unfollow(send, eventId);
    const told = new Map<string, Presence>();
    const tell = () => {
      if (!hasPresence(event)) return;
      const all = event.participants.seats.map(({ userId }) => ({ userId, presence: presenceOf(mock, event, userId) }));
      const players = all.filter(({ userId, presence }) => told.get(userId) !== presence);
      for (const { userId, presence } of players) told.set(userId, presence);
      if (players.length > 0) send('presenceChanged', { eventId, players });
    };
    tell();
    const timer = setInterval(tell, TELL_EVERY_MS);
    const own = this.#followers.get(send) ?? new Map<string, () => void>();
    own.set(eventId, () => clearInterval(timer));
    this.#followers.set(send, own);
  }

  unfollow(send: Send, eventId: string): void {
    this.#followers.get(send)?.get(eventId)?.();
    this.#followers.get(send)?.delete(eventId);
  }

  /** The connection has closed. */
  unfollowAll(send: Send): void {
    for (const stop of this.#followers.get(send)?.values() ?? []) stop();
    this.#followers.delete(send);
  }
}
