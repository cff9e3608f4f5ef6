import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import PracticeHubPage from './PracticeHubPage';
import { renderPage } from './testing/renderPage';

it('offers Local Practice, AI Practice, Remote Friend, and the replay of a game as text', () => {
  renderPage(<PracticeHubPage />);
  const ways = screen
    .getAllByRole('link')
    .map((link) => [link.querySelector('strong')?.textContent, link.getAttribute('href')]);
  expect(ways).toEqual([
    ['Local Practice', '/app/practice/local'],
    ['AI Practice', '/app/practice/ai'],
    ['Remote Friend', '/app/practice/remote'],
    [undefined, '/app/practice/open'],
  ]);
});
