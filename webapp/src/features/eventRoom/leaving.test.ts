import { expect, it } from 'vitest';
import { eventRoomReducer, initialEventRoom } from './eventRoom';

it('a room that leads to the event’s page does so whatever arrives late', () => {
  const leaving = eventRoomReducer(initialEventRoom, { type: 'eventOver', eventId: 'e1', message: 'It has ended.' });
  expect(leaving).toMatchObject({ phase: 'leaving', redirect: { path: '/app/events/view/e1' } });
  expect(eventRoomReducer(leaving, { type: 'connectionLost' })).toBe(leaving);
  expect(eventRoomReducer(leaving, { type: 'searchFailed', message: 'Too many wait.' })).toBe(leaving);
});
