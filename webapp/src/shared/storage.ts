/** Access to browser storage, which may be disabled or full and may hold anything. */

/** Every key of local and session storage that the app uses. */
export const STORAGE_KEYS = {
  theme: 'morpion_theme',
  sound: 'morpion_sound',
  callSound: 'morpion_call_sound',
  alerts: 'morpion_alerts',
  aiLevel: 'morpion_ai_level',
  signOut: 'morpion_leaving',
  lastUser: 'morpion_last_user',
  signedInHere: 'morpion_signed_in_here',
  intendedUrl: 'intendedUrl',
  puzzles: 'morpion_puzzles',
  recentPeople: 'morpion_recent_people',
  practiceLocal: 'morpion_practice_local',
  practiceAi: 'morpion_practice_ai',
  quickMatch: 'morpion_quick_match',
  recovery: 'morpion_recovery',
  reloaded: 'morpion_reloaded',
  ledToProvider: 'morpion_led_to_provider',
  push: 'morpion_push',
  pushOffer: 'morpion_push_offer',
  reactionsMuted: 'morpion_reactions_muted',
} as const;

/** Settings and puzzles of the browser, whoever uses it, and why a session ended; all other keys belong to a person. */
const NOT_PERSONAL: readonly string[] = [
  STORAGE_KEYS.theme,
  STORAGE_KEYS.sound,
  STORAGE_KEYS.callSound,
  STORAGE_KEYS.alerts,
  STORAGE_KEYS.aiLevel,
  STORAGE_KEYS.puzzles,
  STORAGE_KEYS.reactionsMuted,
  STORAGE_KEYS.reloaded,
  STORAGE_KEYS.ledToProvider,
  STORAGE_KEYS.signOut,
  // For whom this browser shows notifications, so that they need not be switched on again after each sign-in.
  STORAGE_KEYS.push,
  STORAGE_KEYS.pushOffer,
];

export function readStored(key: string): unknown {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // What cannot be stored is asked for again next time.
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

/** Removes what belongs to a person, other than the named keys, from the browser and from this tab. */
export function removePersonal(except: readonly string[] = []): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) {
        if (!NOT_PERSONAL.includes(key) && !except.includes(key)) storage.removeItem(key);
      }
    }
  } catch {
    // Nothing was stored.
  }
}
