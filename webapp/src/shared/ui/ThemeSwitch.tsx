import { selectThemeMode, themeChosen } from '@/shared/theme/themeSlice';
import { MoonIcon, SunIcon } from './publicIcons';
import buttons from './buttons.module.css';
import classes from './ThemeSwitch.module.css';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

/** Switches the theme. The style sheet shows the right one of the two icons, also before scripts run. */
export function ThemeSwitch() {
  const mode = useAppSelector(selectThemeMode);
  const dispatch = useAppDispatch();
  const isDark = mode === 'dark';
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isDark}
      aria-label="Dark theme"
      className={`${buttons.icon} ${classes.switch}`}
      onClick={() => dispatch(themeChosen(isDark ? 'light' : 'dark'))}
    >
      <SunIcon />
      <MoonIcon />
    </button>
  );
}
