import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import classes from './Toasts.module.css';

/** Where toasts and invitations appear: at the bottom, where no title stands, above the bar of places on a phone. */
export default function Toasts() {
  return <Notifications position="bottom-right" limit={3} classNames={{ root: classes.root }} />;
}
