import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { renderWithMockServer } from '@/testing/renderWithMockServer';

/** Pages take longer on a busy machine. */
const PATIENT = { timeout: 5_000 };

// Compiled in advance: on a busy machine that takes longer than the wait for a new page's heading.
beforeAll(
  () => Promise.all([import('@/features/practice/PracticeHubPage'), import('./screens/SettingsScreen')]),
  40_000,
);

it('focus moves to the heading of the page that a link opens, so that its name is announced', async () => {
  const { user } = renderWithMockServer('/app/home');
  const places = within(await screen.findByRole('navigation', { name: 'Main' }));
  expect(document.body).toHaveFocus();
  await user.click(places.getByRole('link', { name: 'Practice' }));
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Practice' })).toHaveFocus(), PATIENT);
  await user.tab();
  expect(screen.getByRole('link', { name: /^Local Practice/ })).toHaveFocus();
  await user.click(places.getByRole('link', { name: 'Settings' }));
  // The section is what is new beside the menu.
  await waitFor(() => expect(screen.getByRole('heading', { level: 2, name: 'Edit Profile' })).toHaveFocus(), PATIENT);
});

it('focus stays where the user has moved it meanwhile, and after a redirect', async () => {
  const { user, router } = renderWithMockServer('/app');
  await screen.findByRole('heading', { level: 1, name: /^Welcome/ });
  expect(document.body).toHaveFocus();
  await user.tab();
  const skip = document.activeElement;
  await router.navigate('/app/practice');
  await screen.findByRole('heading', { level: 1, name: 'Practice' });
  expect(skip).toHaveFocus();
});
