import buttons from '../ui/buttons.module.css';
import { penSound, type SoundSetting, useSound } from './sound';

interface SoundSwitchProps {
  setting?: SoundSetting;
  label?: string;
}

/** Switches a sound on or off. */
export function SoundSwitch({ setting = penSound, label = 'Sound' }: SoundSwitchProps) {
  const { isOn, switchSound } = useSound(setting);
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      title={label}
      className={buttons.icon}
      onClick={() => switchSound(!isOn)}
    >
      <svg
        width="24"
        height="24"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        <path d="M4 9.500c1.300-.1 2.500-.1 3.800 0 1.600-1.400 3.100-2.900 4.700-4.300.2 4.500.2 9 0 13.600-1.600-1.500-3.100-2.900-4.700-4.300-1.300.1-2.500.1-3.800 0-.2-1.700-.2-3.300 0-5" />
        {isOn ? (
          <path d="M15.800 9c1.500 1.900 1.500 4 .1 6M18.400 6.500c2.700 3.400 2.700 7.500.1 11" />
        ) : (
          <path d="M16.200 9.800c1.600 1.500 3 2.900 4.500 4.500M20.600 9.700c-1.500 1.500-3 3.100-4.500 4.600" />
        )}
      </svg>
    </button>
  );
}
