/** Whether this browser shows notifications of closed pages, and for whom: switched on here, confirmed at each start. */

import { notificationsApi } from '@/api/notifications';
import type { AppDispatch } from '@/shared/storeHooks';
import { readStored, removeStored, STORAGE_KEYS, writeStored } from '../storage';
import { currentTarget, type PushObstacle, type PushTarget, subscribeHere, unsubscribeHere } from './browser';

const { notificationSettings, subscribePush, unsubscribePush } = notificationsApi.endpoints;

/** For whom it was switched on in this browser, and the endpoint that the server was told. */
interface Remembered {
  userId: string;
  endpoint: string;
}

function remembered(): Remembered | null {
  const stored = readStored(STORAGE_KEYS.push);
  if (typeof stored !== 'object' || stored === null) return null;
  const { userId, endpoint } = stored as Record<string, unknown>;
  return typeof userId === 'string' && typeof endpoint === 'string' ? { userId, endpoint } : null;
}

/** Why it was not switched on: the browser, or the server's answer. */
export type PushFailure = { obstacle: PushObstacle } | { error: unknown };

/** Switches it on for this user. Call it while a press is handled. */
export async function switchPushOn(
  dispatch: AppDispatch,
  userId: string,
  serverKey: string,
): Promise<PushFailure | null> {
  const answer = await subscribeHere(serverKey);
  if ('obstacle' in answer) return answer;
  return tellServer(dispatch, userId, answer.target);
}

/** Switches it off in this browser, for everybody. */
export async function switchPushOff(dispatch: AppDispatch): Promise<PushFailure | null> {
  const endpoint = (await unsubscribeHere()) ?? remembered()?.endpoint;
  removeStored(STORAGE_KEYS.push);
  if (endpoint === undefined) return null;
  const { error } = await dispatch(unsubscribePush.initiate({ endpoint }));
  return error === undefined ? null : { error };
}

/**
 * Makes what the browser and the server know the same again, for a user who switched it on here: the browser may have changed
 * its subscription, the server may have ended it with an earlier session.
 */
export async function confirmPush(dispatch: AppDispatch, userId: string): Promise<void> {
  const known = remembered();
  if (known?.userId !== userId || !('Notification' in window)) return;
  if (Notification.permission !== 'granted') return;
  const request = dispatch(notificationSettings.initiate(undefined, { forceRefetch: true }));
  const { data } = await request;
  request.unsubscribe();
  if (data?.pushKey === undefined) return;
  const target = await currentTarget(data.pushKey);
  const isListed = data.subscriptions.some(({ isCurrent }) => isCurrent);
  if (target !== null && isListed && target.endpoint === known.endpoint) return;
  const answer = target === null ? await subscribeHere(data.pushKey) : { target };
  if ('target' in answer) await tellServer(dispatch, userId, answer.target);
}

async function tellServer(dispatch: AppDispatch, userId: string, target: PushTarget): Promise<PushFailure | null> {
  const { error } = await dispatch(subscribePush.initiate(target));
  if (error !== undefined) return { error };
  writeStored(STORAGE_KEYS.push, { userId, endpoint: target.endpoint } satisfies Remembered);
  return null;
}

const OBSTACLES: Record<PushObstacle, string> = {
  unsupported: 'This browser cannot show notifications while the page is closed.',
  install: 'Add Morpion to your home screen first: this device shows notifications of installed apps only.',
  denied: 'Your browser blocks notifications from this site. You can allow them in its settings.',
  dismissed: 'You have not given your browser permission.',
  outdated: 'A new version of Morpion is ready. Please reload the page, then try again.',
  failed: 'Your browser’s push service could not be reached. Please try again later.',
};

export const obstacleText = (obstacle: PushObstacle): string => OBSTACLES[obstacle];
