import type { ReactNode } from 'react';
import { BlockedPeople } from './BlockedPeople';
import { EditProfile } from './EditProfile';
import { Help } from './Help';
import { BellIcon, BlockedIcon, PaletteIcon, PaperIcon, PersonIcon, QuestionIcon, ShieldIcon, StarIcon } from './icons';
import { Notifications } from './Notifications';
import { Preferences } from './Preferences';
import { Security } from './Security';
import { Terms } from './Terms';

export interface Section {
  /** The last part of /app/setting/{id}. */
  id: string;
  group: 'Account' | 'Support';
  /** The heading of the section. */
  title: string;
  /** The text on its card in the overview. */
  card: string;
  about: string;
  icon: ReactNode;
  /** Absent for the section that is passed in. */
  screen?: ReactNode;
}

/** The sections of the settings, in menu order. */
export const SECTIONS: readonly Section[] = [
  {
    id: 'edit',
    group: 'Account',
    title: 'Edit Profile',
    card: 'Edit Profile',
    about: 'Name and picture',
    icon: <PersonIcon />,
    screen: <EditProfile />,
  },
  {
    id: 'subscription',
    group: 'Account',
    title: 'Manage Subscription',
    card: 'Subscription',
    about: 'Morpion Pro',
    icon: <StarIcon />,
  },
  {
    id: 'security',
    group: 'Account',
    title: 'Security',
    card: 'Security',
    about: 'Password, two-step verification, devices, programs, your data',
    icon: <ShieldIcon />,
    screen: <Security />,
  },
  {
    id: 'preferences',
    group: 'Account',
    title: 'Preferences',
    card: 'Preferences',
    about: 'Theme, sound, calendar',
    icon: <PaletteIcon />,
    screen: <Preferences />,
  },
  {
    id: 'notifications',
    group: 'Account',
    title: 'Notifications',
    card: 'Notifications',
    about: 'What we notify you about, and where',
    icon: <BellIcon />,
    screen: <Notifications />,
  },
  {
    id: 'blocked',
    group: 'Account',
    title: 'Blocked people',
    card: 'Blocked people',
    about: 'Who cannot invite you',
    icon: <BlockedIcon />,
    screen: <BlockedPeople />,
  },
  {
    id: 'termsCondition',
    group: 'Support',
    title: 'Terms & Conditions',
    card: 'Terms',
    about: 'The rules of this server',
    icon: <PaperIcon />,
    screen: <Terms />,
  },
  {
    id: 'help',
    group: 'Support',
    title: 'Help',
    card: 'Help',
    about: 'How everything works',
    icon: <QuestionIcon />,
    screen: <Help />,
  },
];
