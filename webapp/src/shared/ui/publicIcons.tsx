import { Icon } from './Icon';

/* The icons of the public pages have their own file, so that those load no others. */

export const SunIcon = () => (
  <Icon>
    <path d="M12.3 8c-2.5-.2-4.4 1.7-4.3 4 .1 2.4 2 4.2 4.2 4 2.3-.2 3.9-2.1 3.7-4.3-.2-2-1.7-3.6-3.6-3.7ZM12 2.8v2.1M12 19.2v2M2.8 12h2M19.3 12h2M5.5 5.6l1.4 1.4M17.2 17.1l1.4 1.4M18.5 5.5l-1.4 1.4M6.9 17.1l-1.4 1.4" />
  </Icon>
);

export const MoonIcon = () => (
  <Icon>
    <path d="M19.8 14.6c-6.5 2.3-12.3-3.4-10.2-10.3C5.2 5.8 2.9 10.6 4.4 15c2 5.3 8.5 7 12.9 3.3 1.1-1 2-2.2 2.5-3.7Z" />
  </Icon>
);

export const PhoneIcon = () => (
  <Icon>
    <path d="M8 3c2.7-.2 5.3-.2 8 0 .9.1 1.4.6 1.5 1.5.2 5 .2 10 0 15-.1.9-.6 1.4-1.5 1.5-2.7.2-5.3.2-8 0-.9-.1-1.4-.6-1.5-1.5-.2-5-.2-10 0-15C6.6 3.6 7.1 3.1 8 3ZM11 18.1c.7-.1 1.3-.1 2 0" />
  </Icon>
);
