import { useDispatch, useSelector } from 'react-redux';
import { selectThemeMode, themeChosen } from '@/shared/theme/themeSlice';
import { MoonIcon, SunIcon } from './icons';
import classes from './ThemeSwitch.module.css';

/** Day and night, in reach everywhere. */
export function ThemeSwitch() {
  const mode = useSelector(selectThemeMode);
  const dispatch = useDispatch();
  const isDark = mode === 'dark';
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isDark}
      aria-label="Dark theme"
      className={classes.switch}
      onClick={() => dispatch(themeChosen(isDark ? 'light' : 'dark'))}
    >
      {isDark ? <MoonIcon /> : <SunIcon />}
    </button>
  );
}
