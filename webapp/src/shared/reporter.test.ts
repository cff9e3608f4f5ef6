import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { log } from './log';
import { LOG_URL, Reporter } from './reporter';

interface Message {
  level: string;
  isError: boolean;
  platform: string;
  message: string;
  context: string;
  stack?: string;
  fileName?: string;
  requestId?: string;
  timestamp: string;
}

const send = vi.fn<typeof fetch>();
let stop: () => void;

function sent(): Message[][] {
  return send.mock.calls.map(([url, init]) => {
    expect(url).toBe(LOG_URL);
    expect(init).toMatchObject({ method: 'POST', keepalive: true, headers: { 'X-XSRF-TOKEN': 'a token' } });
    const body = JSON.parse(init?.body as string) as { action: string; payload: { messages: Message[] } };
    expect(body.action).toBe('bulkLog');
    return body.payload.messages;
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  document.cookie = `XSRF-TOKEN=${encodeURIComponent('a token')}`;
  send.mockReset();
  send.mockResolvedValue(new Response('{"succeeded":true}'));
  stop = new Reporter(send).listen();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('an uncaught error is reported with its file and stack, in one batch with other problems', async () => {
  window.dispatchEvent(
    new ErrorEvent('error', { message: 'boom', error: new Error('boom'), filename: 'https://x/app.js', lineno: 7 }),
  );
  log.warn('The list could not be loaded', { status: 500 });
  log.failedCall('GET /api/backend/event: 500', 'request-1');
  expect(send).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3000);
  const [messages] = sent();
  expect(messages).toMatchObject([
    { level: 'error', isError: true, platform: 'web', message: 'boom', fileName: 'https://x/app.js:7' },
    { level: 'warning', isError: false, message: 'The list could not be loaded' },
    { level: 'error', requestId: 'request-1' },
  ]);
  expect(messages?.[0]?.stack).toContain('Error: boom');
  expect(messages?.[1]?.context).toContain('500');
  expect(Number.isNaN(Date.parse(messages?.[0]?.timestamp ?? ''))).toBe(false);
});

test('an unhandled rejection is reported', async () => {
  const event = Object.assign(new Event('unhandledrejection'), { reason: new Error('nobody caught it') });
  window.dispatchEvent(event);
  await vi.advanceTimersByTimeAsync(3000);
  expect(sent()[0]?.[0]?.message).toBe('Unhandled rejection: nobody caught it');
});

test('pending reports are sent before the tab closes', async () => {
  log.warn('at the last moment');
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()[0]?.[0]?.message).toBe('at the last moment');
});

test('the same problem is reported once a minute', async () => {
  for (let second = 0; second < 90; second += 1) {
    log.warn('again');
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(sent().flat()).toHaveLength(2);
});

test('a page that keeps failing stops reporting, and every batch is small enough for a closing tab', async () => {
  for (let number = 0; number < 500; number += 1) log.warn(`trouble ${String(number)}`, 'x'.repeat(10_000));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent().flat()).toHaveLength(100);
  for (const [, init] of send.mock.calls) expect((init?.body as string).length).toBeLessThan(64 * 1024);
});

test('a failure to report is not reported', async () => {
  send.mockRejectedValue(new TypeError('offline'));
  log.warn('first');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(send).toHaveBeenCalledTimes(1);
});
