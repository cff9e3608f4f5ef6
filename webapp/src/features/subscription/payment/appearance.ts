import type { Appearance } from '@stripe/stripe-js';
import type { ThemeMode } from '@/shared/theme/themeSlice';

/** The theme of the provider's fields: they are in an iframe, which our style sheets do not reach. */
export function appearanceOf(mode: ThemeMode): Appearance {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    theme: mode === 'dark' ? 'night' : 'stripe',
    labels: 'above',
    variables: {
      colorPrimary: token('accent'),
      colorBackground: token('paper-raised'),
      colorText: token('ink'),
      colorTextSecondary: token('ink-soft'),
      colorTextPlaceholder: token('ink-soft'),
      colorDanger: token('error'),
      iconColor: token('ink-soft'),
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
      borderRadius: '9px',
      spacingUnit: '4.5px',
    },
    rules: {
      '.Input': { border: `2px solid ${token('outline')}`, boxShadow: 'none' },
      '.Input:focus': { borderColor: token('focus'), boxShadow: `0 0 0 1px ${token('focus')}` },
      '.Input--invalid': { borderColor: token('error'), boxShadow: 'none' },
      '.Label': { color: token('ink'), fontWeight: '600' },
      '.Tab': { border: `2px solid ${token('outline')}`, boxShadow: 'none' },
      '.Tab--selected': { borderColor: token('ink'), boxShadow: 'none' },
    },
  };
}
