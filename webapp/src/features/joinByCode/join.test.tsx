import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { signedOut } from '@/shared/session/sessionSlice';
import { expectAccessible } from '@/testing/axe';
import { DEMO } from '@/testing/mocks/mockServer';
import { ATTIC_CODE } from '@/testing/mocks/seedHosted';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { failure, server } from '@/testing/server';
// Imported here, so that loading does not count towards the time-out of the first test.
import './JoinPage';

const LINK = `/join#${ATTIC_CODE}`;
const field = () => screen.findByLabelText('Join code');

describe('a link to a private event', () => {
  it('fills in its code, which leaves the address, and enters the event', async () => {
    const { user, router, container, at } = renderWithMockServer(LINK);
    expect(await field()).toHaveValue(ATTIC_CODE);
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    expect(at()).toBe('/join');
    await expectAccessible(container);

    await user.click(screen.getByRole('button', { name: 'Enter Event' }));
    expect(await screen.findByRole('heading', { name: 'Attic Swiss' })).toBeInTheDocument();
    expect(await screen.findByText('You are registered!')).toBeInTheDocument();
    expect(at()).toMatch(/^\/app\/events\/view\//);
  });

  it('that is opened while the page is open replaces the code', async () => {
    const { router, user } = renderWithMockServer('/join');
    await user.type(await field(), 'abc');
    await router.navigate(LINK);
    await waitFor(() => expect(screen.getByLabelText('Join code')).toHaveValue(ATTIC_CODE));
    // The link to the content of the page is no code.
    await router.navigate('/join#content');
    expect(screen.getByLabelText('Join code')).toHaveValue(ATTIC_CODE);
  });

  it('is kept while a visitor signs in, and in no address that a server sees', async () => {
    const { user, store, at } = renderWithMockServer(LINK, { asVisitor: true });
    expect(await field()).toHaveValue(ATTIC_CODE);
    expect(screen.queryByRole('button', { name: 'Enter Event' })).not.toBeInTheDocument();
    await user.click(screen.getAllByRole('link', { name: 'Sign in' })[0]!);
    await waitFor(() => expect(at()).toBe('/login'));
    expect(store.getState().session.intendedUrl).toBe(LINK);
    expect(localStorage.getItem('intendedUrl')).toBe(LINK);

    await user.type(await screen.findByLabelText(/^Email or username/), DEMO.email);
    await user.type(screen.getByLabelText(/^Password/), DEMO.password);
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await field()).toHaveValue(ATTIC_CODE);
    expect(at()).toBe('/join');
    expect(await screen.findByRole('button', { name: 'Enter Event' })).toBeInTheDocument();
    expect(localStorage.getItem('intendedUrl')).toBeNull();
  });

  it('leads a guest to an account', async () => {
    const { mock, store, user } = renderWithMockServer(LINK, { asVisitor: true });
    mock.addGuest();
    store.dispatch(signedOut({ hasSignedOut: false }));
    await field();
    await user.click(await screen.findByRole('link', { name: 'Create an account' }));
    await waitFor(() => expect(store.getState().session.intendedUrl).toBe(LINK));
  });
});

describe('a code that is typed', () => {
  it.each(['attc bmtz 2345 wxyz', ' attcbmtz2345wxyz ', `https://chalk.example${LINK}`])('may be %j', async (typed) => {
    const { user } = renderWithMockServer('/join');
    await user.type(await field(), typed);
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { name: 'Attic Swiss' })).toBeInTheDocument();
  });

  it('that cannot be one uses up no try', async () => {
    const { user, mock } = renderWithMockServer('/join');
    await user.click(await screen.findByRole('button', { name: 'Enter Event' }));
    expect(screen.getByText('Type the code that the host gave you.')).toBeInTheDocument();
    expect(screen.getByLabelText('Join code')).toHaveFocus();
    await user.type(screen.getByLabelText('Join code'), 'ATTC-BMTZ');
    await user.keyboard('{Enter}');
    expect(screen.getByText('A join code has 16 letters and digits.')).toBeInTheDocument();
    expect(mock.wrongCodes).toBe(0);
  });

  it('that no event has is refused', async () => {
    const { user } = renderWithMockServer('/join');
    await user.type(await field(), 'AAAA-AAAA-AAAA-AAAA');
    await user.keyboard('{Enter}');
    expect(
      await screen.findByText('No event has this join code. Ask its host for the current one.'),
    ).toBeInTheDocument();
  });

  it.each([
    [429, { errorMessage: 'Too many requests. Please try again later.' }, 'Too many requests. Please try again later.'],
    [409, { errorMessage: 'This event is full.' }, 'This event is full.'],
    [500, {}, 'Failed to enter the event'],
  ])('says why it is refused with %i', async (status, body, text) => {
    const { user } = renderWithMockServer(LINK);
    await field();
    server.use(http.post('*/api/backend/eventSignUp', () => failure(status, body)));
    await user.click(await screen.findByRole('button', { name: 'Enter Event' }));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text));
  });
});
