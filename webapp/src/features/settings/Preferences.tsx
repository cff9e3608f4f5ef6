import { useGetProvidersQuery } from '@/api/account';
import { useSound } from '@/shared/board/sound';
import { selectUser } from '@/shared/session/sessionSlice';
import { selectThemeMode, themeChosen } from '@/shared/theme/themeSlice';
import { Card } from '@/shared/ui/Card';
import { Calendar } from './Calendar';
import classes from './Settings.module.css';
import { Toggle } from '@/shared/ui/Toggle';
import { useAppDispatch, useAppSelector } from '@/shared/storeHooks';
import { ifKnown } from '@/shared/ui/Loaded';

export function Preferences() {
  const mode = useAppSelector(selectThemeMode);
  const dispatch = useAppDispatch();
  const { isOn, switchSound } = useSound();
  const isGuest = useAppSelector(selectUser)?.isTempUser ?? false;
  const providers = ifKnown(useGetProvidersQuery());
  return (
    <>
      <Card title="Look and sound">
        <Toggle
          label="Dark theme"
          description="Chalk on a blackboard instead of ink on paper."
          isOn={mode === 'dark'}
          onSwitch={(isDark) => dispatch(themeChosen(isDark ? 'dark' : 'light'))}
        />
        <Toggle label="Sound" description="The pen or chalk makes a sound." isOn={isOn} onSwitch={switchSound} />
        <p className={classes.soft}>These settings apply to this device only.</p>
      </Card>
      {!isGuest && providers?.provider?.calendar && <Calendar provider={providers.provider.name} />}
    </>
  );
}
