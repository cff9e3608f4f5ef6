import { FRAMES } from '@/api/generatedFrames';
import type { Ack, ServerEvent, ServerEvents } from './protocol';

/** The name of a type, a list of one shape, or the fields of an object; the name of a field that may be absent ends in `?`. */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

/** A frame of the server. */
export type DecodedFrame =
  { event: 'ack'; data: Ack; id: string } | { [E in ServerEvent]: { event: E; data: ServerEvents[E] } }[ServerEvent];

/** A frame as the contract has it; `undefined` for anything else, such as what a newer server may send. */
export function decodeFrame(text: string): DecodedFrame | undefined {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(frame) || typeof frame.event !== 'string' || !Object.hasOwn(FRAMES, frame.event)) return undefined;
  if (frame.event === 'ack' && typeof frame.id !== 'string') return undefined;
  return fits(frame.data, FRAMES[frame.event as keyof typeof FRAMES]) ? (frame as DecodedFrame) : undefined;
}

/** Whether a value has this shape. It may have more fields, and words that are not known yet. */
function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'string') {
    // A larger integer is not exact, and as a version it would outrank every later state.
    return shape === 'integer' ? Number.isSafeInteger(value) : typeof value === shape;
  }
  if (isList(shape)) return Array.isArray(value) && value.every((item) => fits(item, shape[0]));
  if (!isObject(value)) return false;
  return Object.entries(shape).every(([field, inner]) => {
    if (!field.endsWith('?')) return Object.hasOwn(value, field) && fits(value[field], inner);
    const name = field.slice(0, -1);
    return !Object.hasOwn(value, name) || fits(value[name], inner);
  });
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
