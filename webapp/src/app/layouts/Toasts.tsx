import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import classes from './Toasts.module.css';

/** Where toasts and invitations appear: at the bottom, so that no title is covered; above the navigation bar on a phone. */
export default function Toasts() {
  return <Notifications position="bottom-right" limit={3} classNames={{ root: classes.root }} />;
}
