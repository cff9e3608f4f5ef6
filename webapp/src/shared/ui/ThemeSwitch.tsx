import { useDispatch, useSelector } from 'react-redux';
import { selectThemeMode, themeChosen } from '@/shared/theme/themeSlice';
import { MoonIcon, SunIcon } from './publicIcons';
import classes from './ThemeSwitch.module.css';

/** Day and night, in reach everywhere. The style sheet shows the right one of the two, also before this runs. */
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
      <SunIcon />
      <MoonIcon />
    </button>
  );
}
