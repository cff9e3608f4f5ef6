import { screen, waitFor } from '@testing-library/react';
import { delay, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { SEARCH_LIMIT } from '@/api/people';
import { BOARD_SIZES } from '@/shared/invite/useInvite';
import { RECENT_PEOPLE_KEY } from '@/shared/recentPeople';
import { renderApp } from '@/testing/renderApp';
import { actions, ada, answer, bob, failure, server, signedInAsAda } from '@/testing/server';
import { SEARCH_DEBOUNCE_MS, SEARCH_MIN } from '@/shared/people/usePeopleSearch';

let play: ReturnType<typeof actions>;
let people: ReturnType<typeof actions>;

beforeEach(() => {
  play = actions('game', { create_game: ({ gameId }) => answer({ game: { gameId: gameId as string } }) });
  people = actions('userprofile', {
    search_user_profile: ({ text }) =>
      text === 'nobody'
        ? answer({ users: [] })
        : answer({ users: [{ ...bob, displayName: 'Bob', profile: '' }, { ...ada }] }),
  });
  server.use(...signedInAsAda, ...play.handlers, ...people.handlers);
});

async function openPage() {
  const app = renderApp('/app/practice/remote');
  await screen.findByRole('heading', { name: 'Invite Friend' });
  return { ...app, box: screen.getByPlaceholderText('Search by username…') };
}

describe('the search', () => {
  it('waits 300 ms, starts at 2 characters, and requests 10 people', () => {
    expect([SEARCH_DEBOUNCE_MS, SEARCH_MIN, SEARCH_LIMIT]).toEqual([300, 2, 10]);
  });

  it('shows the specified hints', async () => {
    const { user, box } = await openPage();
    expect(screen.getByText('Search by exact or partial username')).toBeInTheDocument();
    await user.type(box, 'n ');
    expect(screen.getByText('Type at least 2 characters')).toBeInTheDocument();
    await user.type(box, '{backspace}obody');
    expect(screen.getByText('Searching…')).toBeInTheDocument();
    expect(await screen.findByText('No users found')).toBeInTheDocument();
  });

  it('sends one request for text typed without a pause, and omits the user', async () => {
    const { user, box } = await openPage();
    await user.type(box, 'bo');
    expect(await screen.findByText('@bob')).toBeInTheDocument();
    expect(screen.queryByText('@ada')).not.toBeInTheDocument();
    expect(people.calls.map(({ payload }) => payload)).toEqual([{ text: 'bo', limit: 10, userId: ada.userId }]);
  });

  it('shows when it failed', async () => {
    server.use(...actions('userprofile', { search_user_profile: () => failure(500) }).handlers);
    const { user, box } = await openPage();
    await user.type(box, 'bo');
    expect(await screen.findByText('Failed to search users')).toBeInTheDocument();
  });
});

describe('an invite', () => {
  it('needs a player; then the game is created on the chosen board and opened', async () => {
    const { user, box, at } = await openPage();
    expect(BOARD_SIZES).toEqual([3, 4, 5, 6]);
    expect(screen.getByRole('button', { name: 'Create Game' })).toBeDisabled();
    await user.type(box, 'bo');
    await user.click(await screen.findByRole('button', { name: 'Select bob' }));
    expect(screen.getByRole('button', { name: 'Selected bob' })).toHaveTextContent('Selected');
    await user.click(screen.getByRole('radio', { name: '6×6' }));
    await user.click(screen.getByRole('button', { name: 'Create Game' }));
    await waitFor(() => expect(at()).toMatch(/^\/app\/game\//));
    expect(play.calls[0]?.payload).toMatchObject({
      players: [{ userId: ada.userId }, { userId: bob.userId }],
      boardSize: 6,
    });
    expect(JSON.parse(localStorage.getItem(RECENT_PEOPLE_KEY)!)).toMatchObject([{ username: 'bob', playCount: 1 }]);
  });

  it('shows Creating… while it is created', async () => {
    server.use(
      http.post('*/api/backend/game', async () => {
        await delay('infinite');
      }),
    );
    const { user, box } = await openPage();
    await user.type(box, 'bo');
    await user.click(await screen.findByRole('button', { name: 'Select bob' }));
    await user.click(screen.getByRole('button', { name: 'Create Game' }));
    expect(await screen.findByRole('button', { name: 'Creating…' })).toBeDisabled();
  });

  it('with an open seat has one player', async () => {
    const { user, at } = await openPage();
    await user.click(screen.getByRole('button', { name: 'Create an invite link' }));
    await waitFor(() => expect(at()).toMatch(/^\/app\/game\//));
    expect(play.calls[0]?.payload.players).toEqual([{ userId: ada.userId, username: 'ada' }]);
  });

  it.each([
    [
      'the server’s words',
      { errorMessage: 'Too many invitations. Please wait.' },
      'Too many invitations. Please wait.',
    ],
    ['Failed to create game', {}, 'Failed to create game'],
  ])('shows a failure: %s', async (_name, body, text) => {
    server.use(...actions('game', { create_game: () => failure(429, body) }).handlers);
    const { user } = await openPage();
    await user.click(screen.getByRole('button', { name: 'Create an invite link' }));
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});
