import type { ReactNode } from 'react';

/** Icons in the pen's strokes, 24 × 24, in the text's colour. They only accompany words or a label. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const HomeIcon = () => (
  <Icon>
    <path d="M3.5 11.2C6.4 8.7 9.2 6.1 12 3.4c2.8 2.7 5.7 5.2 8.6 7.7M5.8 9.6c-.2 3.6-.2 7.2.1 10.8 4 .2 8.2.2 12.2 0 .3-3.6.3-7.2.1-10.7M10 20.3c-.1-2-.1-3.9.1-5.8 1.3-.1 2.5-.1 3.8 0 .2 1.9.2 3.8.1 5.8" />
  </Icon>
);

export const PracticeIcon = () => (
  <Icon>
    <path d="M9 3.5c-.2 5.7-.1 11.3.1 17M15.2 3.4c.1 5.7 0 11.4-.1 17.1M3.5 9.1c5.7-.2 11.4-.1 17-.1M3.4 15.2c5.7.1 11.4-.1 17.1 0" />
  </Icon>
);

export const BackIcon = () => (
  <Icon>
    <path d="M11 5.5C8.8 7.6 6.6 9.8 4.5 12c2.2 2.2 4.3 4.4 6.6 6.5M4.8 12c5 .2 9.9.1 14.8-.1" />
  </Icon>
);

export const CloseIcon = () => (
  <Icon>
    <path d="M6 6.3c4.1 3.6 8 7.5 11.9 11.6M18 5.9C13.9 9.8 10 13.8 6.2 18" />
  </Icon>
);

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

export const SearchIcon = () => (
  <Icon>
    <path d="M10.8 4c-4-.1-7 3-6.8 6.9.2 3.8 3.3 6.6 7 6.3 3.6-.3 6.3-3.4 6.1-7C16.9 6.8 14.2 4.2 10.8 4ZM15.9 15.8c1.5 1.5 3 2.9 4.6 4.4" />
  </Icon>
);

export const LinkIcon = () => (
  <Icon>
    <path d="M10 14.1c-1.9-1.9-1.9-4.6 0-6.4l2.6-2.6c1.9-1.8 4.6-1.8 6.3 0 1.8 1.8 1.8 4.5 0 6.3l-1.5 1.5M14 9.9c1.9 1.9 1.9 4.6 0 6.4l-2.6 2.6c-1.9 1.8-4.6 1.8-6.3 0-1.8-1.8-1.8-4.5 0-6.3l1.5-1.5" />
  </Icon>
);

export const AgainIcon = () => (
  <Icon>
    <path d="M19.4 12.3c-.2 4-3.4 7.1-7.4 7.1-4.1 0-7.4-3.3-7.4-7.4 0-4.1 3.3-7.5 7.5-7.4 2.7 0 4.9 1.3 6.3 3.3M18.8 3.7c0 1.5 0 2.9-.1 4.4-1.5 0-2.9 0-4.3-.1" />
  </Icon>
);

export const SignOutIcon = () => (
  <Icon>
    <path d="M10 4.2c-1.7-.1-3.4-.1-5 .1-.2 5.1-.2 10.3 0 15.4 1.7.2 3.3.2 5 .1M15 7.5c1.5 1.5 3 3 4.5 4.5-1.5 1.5-3 3-4.4 4.6M19 12c-3.5.1-6.9.1-10.3 0" />
  </Icon>
);
