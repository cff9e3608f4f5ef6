import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** Where toasts and invitations appear. */
export default function Toasts() {
  return <Notifications position="top-center" limit={3} />;
}
