/** Local storage that may be forbidden or full, and whose contents somebody else may have written. */

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
    // What cannot be kept is asked for again next time.
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept, then.
  }
}

/** Choices of the browser, whoever uses it, and why a session is gone; all else that is stored belongs to a person. */
const KEPT = ['morpion_theme', 'morpion_sound', 'morpion_call_sound', 'morpion_ai_level', 'morpion_leaving'];

/** Removes what belongs to a person, other than the named keys, from the browser and from this tab. */
export function removePersonal(except: readonly string[] = []): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) {
        if (!KEPT.includes(key) && !except.includes(key)) storage.removeItem(key);
      }
    }
  } catch {
    // Nothing was kept, then.
  }
}
