import type { ReactNode } from 'react';

/** Icons in the pen's strokes, 24 × 24, in the text's colour. They only accompany a label. */
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

export const PlayIcon = () => (
  <Icon>
    <path d="M7.2 4.600c4 2.400 7.900 4.900 11.700 7.500-3.900 2.500-7.800 4.900-11.800 7.300-.1-5 0-9.900.1-14.800Z" />
  </Icon>
);

export const PauseIcon = () => (
  <Icon>
    <path d="M8.400 5c-.1 4.700 0 9.300.1 14M15.600 5.100c.1 4.600 0 9.200-.1 13.900" />
  </Icon>
);

export const PreviousIcon = () => (
  <Icon>
    <path d="M14.800 5.200c-2.400 2.200-4.600 4.500-6.800 6.800 2.300 2.300 4.600 4.500 6.900 6.700" />
  </Icon>
);

export const NextIcon = () => (
  <Icon>
    <path d="M9.200 5.200c2.400 2.200 4.600 4.500 6.800 6.800-2.300 2.300-4.600 4.500-6.900 6.700" />
  </Icon>
);

export const FirstIcon = () => (
  <Icon>
    <path d="M17.700 5.200c-2.400 2.200-4.600 4.500-6.800 6.800 2.300 2.300 4.600 4.500 6.900 6.700M6.400 5.300c-.1 4.500 0 9 .1 13.400" />
  </Icon>
);

export const LastIcon = () => (
  <Icon>
    <path d="M6.300 5.200c2.400 2.200 4.600 4.500 6.800 6.800-2.300 2.300-4.600 4.500-6.900 6.700M17.600 5.300c.1 4.500 0 9-.1 13.400" />
  </Icon>
);

export const ShareIcon = () => (
  <Icon>
    <path d="M12 14.800c-.1-3.900-.1-7.700.1-11.500M7.800 7.400c1.500-1.300 2.900-2.700 4.300-4.200 1.400 1.400 2.700 2.800 4.200 4.100M5.200 12.100c-.2 2.800-.2 5.600.1 8.300 4.500.2 9 .2 13.500-.1.2-2.700.2-5.500 0-8.200" />
  </Icon>
);
