import { describe, expect, it } from 'vitest';
import { decodeFrame } from './decode';

const decoded = (frame: unknown) => decodeFrame(JSON.stringify(frame));

describe('a frame', () => {
  it('that acknowledges names the request', () => {
    const ack = { event: 'ack', data: { succeeded: true }, id: '7' };
    expect(decoded(ack)).toEqual(ack);
    expect(decoded({ ...ack, id: undefined })).toBeUndefined();
    expect(decoded({ ...ack, id: 7 })).toBeUndefined();
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no name', '{"data":{}}'],
    ['an unknown name', '{"event":"x","data":{}}'],
  ])('with %s is left out', (_what, text) => expect(decodeFrame(text)).toBeUndefined());
});
