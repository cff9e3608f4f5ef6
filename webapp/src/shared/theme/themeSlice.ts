import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { STORAGE_KEYS } from '../storage';

export type ThemeMode = 'light' | 'dark';

export const THEME_KEY = STORAGE_KEYS.theme;

/** A missing or unreadable value means light. */
export function storedTheme(): ThemeMode {
  try {
    return localStorage.getItem(THEME_KEY) === 'dark' ? 'dark' : 'light';
  } catch {
    return 'light';
  }
}

export function applyTheme(mode: ThemeMode): void {
  document.documentElement.setAttribute('data-mantine-color-scheme', mode);
  try {
    localStorage.setItem(THEME_KEY, mode);
  } catch {
    // Storage may be disabled; the choice then lasts until a reload.
  }
}

export const themeSlice = createSlice({
  name: 'theme',
  initialState: { mode: 'light' as ThemeMode },
  reducers: {
    themeChosen(state, { payload }: PayloadAction<ThemeMode>) {
      state.mode = payload;
    },
  },
  selectors: { selectThemeMode: ({ mode }) => mode },
});

export const { themeChosen } = themeSlice.actions;
export const { selectThemeMode } = themeSlice.selectors;
