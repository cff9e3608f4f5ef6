import { Switch } from '@mantine/core';
import { useDispatch, useSelector } from 'react-redux';
import { useGetProvidersQuery } from '@/api/account';
import { useSound } from '@/shared/board/sound';
import { selectThemeMode, themeChosen } from '@/shared/theme/themeSlice';
import { Card } from '@/shared/ui/Card';
import { Calendar } from './Calendar';
import classes from './Settings.module.css';

export function Preferences() {
  const mode = useSelector(selectThemeMode);
  const dispatch = useDispatch();
  const { isOn, switchSound } = useSound();
  const { data: providers } = useGetProvidersQuery();
  return (
    <>
      <Card title="Look and sound">
        <Switch
          size="lg"
          label="Dark theme"
          description="Chalk on a board instead of ink on paper."
          checked={mode === 'dark'}
          onChange={(event) => dispatch(themeChosen(event.currentTarget.checked ? 'dark' : 'light'))}
        />
        <Switch
          size="lg"
          label="Sound"
          description="The pen, or the chalk, can be heard."
          checked={isOn}
          onChange={(event) => switchSound(event.currentTarget.checked)}
        />
        <p className={classes.soft}>Both are kept on this device.</p>
      </Card>
      {providers?.provider?.calendar && <Calendar provider={providers.provider.name} />}
    </>
  );
}
