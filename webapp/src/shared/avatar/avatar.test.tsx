import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderWithMockServer } from '@/testing/renderWithMockServer';
import { PICTURE_MAX_BYTES, pictureError, TOO_LARGE, WRONG_TYPE } from './picture';

describe('a picture', () => {
  it.each(['image/png', 'image/gif', 'image/jpeg'])('of type %s is accepted', (type) =>
    expect(pictureError({ type, size: PICTURE_MAX_BYTES })).toBeNull(),
  );
  it.each(['image/svg+xml', 'image/webp', 'text/html', ''])('of type %j is refused', (type) =>
    expect(pictureError({ type, size: 1 })).toBe(WRONG_TYPE),
  );
  it('of a good camera is accepted, since only a small part of it is uploaded', () => {
    expect(pictureError({ type: 'image/jpeg', size: 24 * 1024 * 1024 })).toBeNull();
  });
  it('of more than the browser should read is refused', () => {
    expect(pictureError({ type: 'image/png', size: PICTURE_MAX_BYTES + 1 })).toBe(TOO_LARGE);
  });
});

describe('the avatar', () => {
  it('refuses a file that is not a picture with a clear message', async () => {
    const { container } = renderWithMockServer('/app/setting/edit');
    await screen.findByRole('button', { name: 'Upload picture' });
    const input = container.querySelector('input[type=file]');
    if (input === null) throw new Error('no file input');
    expect(input).toHaveAttribute('accept', 'image/png,image/gif,image/jpeg');
    fireEvent.change(input, { target: { files: [new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' })] } });
    expect(await screen.findByText(WRONG_TYPE)).toBeInTheDocument();
  });

  it('is shown, and can be removed', async () => {
    const { user, mock, store } = renderWithMockServer('/app/setting/edit');
    await screen.findByRole('button', { name: 'Upload picture' });
    mock.update({ profile: '/api/backend/profile/image/x/256' });
    store.dispatch({ type: 'session/userChanged', payload: { profile: '/api/backend/profile/image/x/256' } });
    await user.click(await screen.findByRole('button', { name: 'Delete picture' }));
    await waitFor(() => expect(mock.user.profile).toBe(''));
    expect(await screen.findByRole('button', { name: 'Upload picture' })).toBeInTheDocument();
  });
});
