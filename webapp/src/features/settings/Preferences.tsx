import { Switch } from '@mantine/core';
import { useGetProvidersQuery } from '@/api/account';
import { useSound } from '@/shared/board/sound';
import { selectThemeMode, themeChosen } from '@/shared/theme/themeSlice';
import { Card } from '@/shared/ui/Card';
import { Calendar } from './Calendar';
import classes from './Settings.module.css';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';

export function Preferences() {
  const mode = useAppSelector(selectThemeMode);
  const dispatch = useAppDispatch();
  const { isOn, switchSound } = useSound();
  const { data: providers } = useGetProvidersQuery();
  return (
    <>
      <Card title="Look and sound">
        <Toggle
          label="Dark theme"
          description="Chalk on a board instead of ink on paper."
          isOn={mode === 'dark'}
          onSwitch={(isDark) => dispatch(themeChosen(isDark ? 'dark' : 'light'))}
        />
        <Toggle label="Sound" description="The pen, or the chalk, can be heard." isOn={isOn} onSwitch={switchSound} />
        <p className={classes.soft}>Both are kept on this device.</p>
      </Card>
      {providers?.provider?.calendar && <Calendar provider={providers.provider.name} />}
    </>
  );
}

interface ToggleProps {
  label: string;
  description: string;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}

function Toggle({ label, description, isOn, onSwitch }: ToggleProps) {
  return (
    <Switch
      size="lg"
      label={label}
      aria-label={label}
      description={description}
      checked={isOn}
      onChange={(event) => onSwitch(event.currentTarget.checked)}
      // The off state must be visible as well.
      styles={isOn ? {} : { track: { background: 'var(--outline)' } }}
    />
  );
}
