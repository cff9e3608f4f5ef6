import { useState, useSyncExternalStore } from 'react';
import { switchAlert, useAlertSettings } from '@/shared/alerts/settings';
import { askSystemPermission, type SystemPermission, systemPermission } from '@/shared/alerts/systemNotification';
import { callSound, playAlert, useSound } from '@/shared/board/sound';
import { Card } from '@/shared/ui/Card';
import classes from './Settings.module.css';
import { Toggle } from '@/shared/ui/Toggle';

/** How one is told while the page is in the background. */
export function Alerts() {
  const settings = useAlertSettings();
  const call = useSound(callSound);
  return (
    <Card title="When you are in another tab or app">
      <Toggle
        label="In the title"
        description="The tab title shows how many games and invitations are waiting."
        isOn={settings.title}
        onSwitch={(isOn) => switchAlert('title', isOn)}
      />
      <Toggle
        label="With a sound"
        description="Two soft notes."
        isOn={settings.sound}
        onSwitch={(isOn) => {
          switchAlert('sound', isOn);
          // Heard once, so that one knows what it is; and browsers allow sound only after a press.
          if (isOn) playAlert();
        }}
      />
      <SystemToggle isOn={settings.system} />
      <Toggle
        label="Sound for event games"
        description="Rising notes when you are paired, even while this page is open: you have 20 seconds to join."
        isOn={call.isOn}
        onSwitch={call.switchSound}
      />
      <p className={classes.soft}>Only this device, and only while a page of this site is open.</p>
    </Card>
  );
}

const TEXTS: Record<SystemPermission, string> = {
  default: 'Your browser will ask for permission.',
  granted: 'Shown by your device, as other apps do.',
  denied: 'Your browser blocks them for this site. You can allow them in its settings.',
  unsupported: 'This browser does not support them.',
};

function SystemToggle({ isOn }: { isOn: boolean }) {
  const permission = useSyncExternalStore(onReturn, systemPermission);
  const [isAsking, setAsking] = useState(false);
  const switchTo = async (isWanted: boolean) => {
    if (!isWanted) return switchAlert('system', false);
    setAsking(true);
    const answer = await askSystemPermission();
    setAsking(false);
    switchAlert('system', answer === 'granted');
  };
  return (
    <Toggle
      label="As a notification"
      description={TEXTS[permission]}
      isOn={isOn && permission === 'granted'}
      disabled={isAsking || permission === 'denied' || permission === 'unsupported'}
      onSwitch={(isWanted) => void switchTo(isWanted)}
    />
  );
}

/** The permission may have changed in the browser's settings, from which one comes back to the page. */
function onReturn(listener: () => void): () => void {
  window.addEventListener('focus', listener);
  return () => window.removeEventListener('focus', listener);
}
