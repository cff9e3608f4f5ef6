import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import classes from './mantine.module.css';

/** The shades of marigold; only colours that Mantine computes use it, the rest use tokens.css. */
const marigold: MantineColorsTuple = [
  '#fff7e4',
  '#fdeccb',
  '#f9d897',
  '#f5c25f',
  '#f1b031',
  '#e8a317',
  '#c98a08',
  '#a06c00',
  '#7d5400',
  '#573a00',
];

const input = {
  defaultProps: { size: 'md' },
  classNames: { input: classes.input, label: classes.label, error: classes.error },
};

export const mantineTheme = createTheme({
  colors: { marigold },
  primaryColor: 'marigold',
  primaryShade: 5,
  autoContrast: true,
  fontFamily: 'var(--font-text)',
  headings: { fontFamily: 'var(--font-display)', fontWeight: '700' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // By name, so that the components' code is loaded only by pages that use it.
  components: {
    Button: { defaultProps: { size: 'md' }, classNames: { root: classes.button } },
    ActionIcon: {
      defaultProps: { size: 44, variant: 'transparent', color: 'var(--ink)' },
      classNames: { root: classes.icon },
    },
    TextInput: input,
    PasswordInput: input,
    Textarea: input,
    NativeSelect: input,
    Select: input,
    NumberInput: input,
    DateTimePicker: input,
    Checkbox: { defaultProps: { size: 'md' }, classNames: { input: classes.check } },
    Radio: { defaultProps: { size: 'md' }, classNames: { radio: classes.check } },
    Tabs: { classNames: { list: classes.tabs, tab: classes.tab } },
    SegmentedControl: {
      classNames: { root: classes.segments, label: classes.segment, indicator: classes.indicator },
    },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.5, color: '#10161a' },
        // A dialog's header must not be the page's banner landmark.
        attributes: { header: { role: 'presentation' } },
      },
      classNames: {
        content: classes.sheet,
        header: classes.sheetHeader,
        title: classes.sheetTitle,
        close: classes.sheetClose,
      },
    },
    Menu: { classNames: { dropdown: classes.menu, item: classes.menuItem } },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      classNames: {
        root: classes.toast,
        title: classes.toastTitle,
        description: classes.toastText,
        closeButton: classes.sheetClose,
      },
    },
  },
});

/** Maps Mantine's surfaces, texts and borders to our tokens. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-body': 'var(--paper)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-bright': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-soft)',
    '--mantine-color-placeholder': 'var(--ink-soft)',
    '--mantine-color-anchor': 'var(--ink)',
    '--mantine-color-error': 'var(--error)',
    // What cannot be chosen is read, too.
    '--mantine-color-disabled-color': 'var(--ink-soft)',
    '--mantine-color-default': 'var(--paper-raised)',
    '--mantine-color-default-hover': 'var(--paper-sunken)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--outline)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
    '--mantine-primary-color-contrast': 'var(--on-accent)',
    '--mantine-radius-md': '10px',
  },
  light: {},
  dark: {},
});
