import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { expectAccessible } from '@/testing/axe';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
// Imported here, so that loading does not count towards the time-out of the first test.
import './OpenGamePage';
import './ReplayPage';

const GAME = `[Event "Friday Cup"]
[Date "2026.11.28"]
[X "ada"]
[O "bob"]
[Result "1-0"]

1. 3x3 O a1 b2 c3 b1 b3 a3 c1 c2 a2
2. 3x3 X b2 a1 c1 c3 a3
1-0
`;

it('opens the replay of a pasted game, with its players, rounds and result', async () => {
  const { user, container, at } = renderWithMockServer('/app/practice');
  await user.click(await screen.findByRole('link', { name: 'Open its replay' }));
  const field = await screen.findByRole('textbox', { name: 'Notation' });
  await expectAccessible(container);
  await user.click(field);
  await user.paste(GAME.replace('c3 a3', 'c3 b2'));
  await user.click(screen.getByRole('button', { name: 'Replay' }));
  expect(await screen.findByText('Line 8: a move is a free cell of the board, such as b2.')).toBeInTheDocument();

  await user.clear(field);
  await user.paste(GAME);
  await user.click(screen.getByRole('button', { name: 'Replay' }));
  expect(await screen.findByRole('heading', { name: 'ada Won!' })).toBeInTheDocument();
  expect(at()).toBe('/replay/moves/3O048176253-3X40286');
  expect(screen.getByText(/Friday Cup, 2026.11.28/)).toBeInTheDocument();
  expect(within(screen.getByRole('list', { name: 'Players' })).getByText('bob')).toBeInTheDocument();
  expect(screen.getByRole('radiogroup', { name: 'Round' })).toBeInTheDocument();

  await user.click(screen.getByRole('button', { name: 'Share' }));
  await user.click(await screen.findByRole('button', { name: 'Copy notation' }));
  expect(await screen.findByRole('button', { name: 'Notation copied' })).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe(GAME);
});

it('says what to do with a game without moves', async () => {
  const { user } = renderWithMockServer('/app/practice/open');
  await user.click(await screen.findByRole('textbox', { name: 'Notation' }));
  await user.paste('[X "ada"]\n[O "bob"]\n[Result "1-0"]\n1-0');
  await user.click(screen.getByRole('button', { name: 'Replay' }));
  expect(await screen.findByText('No move was played in this game.')).toBeInTheDocument();
});
