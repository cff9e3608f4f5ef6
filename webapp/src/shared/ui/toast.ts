import { notifications } from '@mantine/notifications';

/** How long a toast is shown. */
export const TOAST_MS = 5_000;

export const toast = {
  success: (message: string) =>
    notifications.show({ message, color: 'var(--success)', autoClose: TOAST_MS, role: 'status' }),
  info: (message: string) => notifications.show({ message, color: 'var(--ink)', autoClose: TOAST_MS, role: 'status' }),
  error: (message: string) =>
    notifications.show({ message, color: 'var(--error)', autoClose: TOAST_MS, role: 'alert' }),
};
