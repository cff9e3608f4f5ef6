import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { GameState } from '@/realtime/protocol';
import { initialLiveGame, liveGameReducer } from './liveGame';
import { RatingResult } from './RatingResult';

const player = (userId: string, symbol: 'X' | 'O') => ({
  userId,
  username: userId,
  displayName: userId,
  symbol,
  connected: true,
  timeUsedMs: 0,
  rating: { value: 1_500, provisional: true },
});

const state: GameState = {
  gameId: 'g',
  board: [],
  players: [player('ada', 'X'), player('bob', 'O')],
  isDraw: false,
  boardSize: 3,
  drawCount: 0,
  status: 'completed',
  gameType: 'quick',
  clock: 'turn15',
  rated: true,
  eventId: 'quick-g',
  level: 1,
  initiatorUserId: 'ada',
  notify: false,
  version: 9,
  serverTime: 0,
  moves: [],
  createdAt: '2026-11-24T08:00:00Z',
};

const players = [
  { userId: 'ada', before: 1_500, after: 1_662, provisional: true },
  { userId: 'bob', before: 1_500, after: 1_338, provisional: false },
];

describe('the rating after a game', () => {
  it('is empty until the server has told, and then the new one with the change', () => {
    const { container, rerender } = render(<RatingResult state={state} userId="ada" />);
    expect(container).toBeEmptyDOMElement();
    const told = liveGameReducer({ ...initialLiveGame, state }, { type: 'rated', data: { gameId: 'g', players } });
    if (told.state === null) throw new Error('the state is kept');
    rerender(<RatingResult state={told.state} userId="ada" />);
    expect(screen.getByRole('status')).toHaveTextContent('Your rating: Rating 1662?, provisional +162');
    rerender(<RatingResult state={told.state} userId="bob" />);
    expect(screen.getByRole('status')).toHaveTextContent('Your rating: Rating 1338 −162');
    rerender(<RatingResult state={told.state} userId="eve" />);
    expect(container).toBeEmptyDOMElement();
  });

  it('says why a game of an event is not rated', () => {
    render(<RatingResult state={{ ...state, gameType: 'event', rated: false }} userId="ada" />);
    expect(screen.getByText(/share a network address or a device/)).toBeVisible();
  });
});
