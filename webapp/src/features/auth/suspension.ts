/** A suspension as a refused sign-in tells it. */
export interface Suspension {
  reason: string;
  /** ISO 8601; null for one without an end. */
  until: string | null;
}

const REFUSAL = /^This account is suspended(?: until (?<until>.+?) \(UTC\))?\. Reason: (?<reason>.+)$/s;

/** The suspension in the server's text of a refusal; null if it says it in other words. */
export function suspensionOf(text: string): Suspension | null {
  const { until, reason } = REFUSAL.exec(text)?.groups ?? {};
  if (reason === undefined) return null;
  if (until === undefined) return { reason, until: null };
  const end = new Date(`${until.replace(' at ', ' ')} UTC`);
  return Number.isNaN(end.valueOf()) ? null : { reason, until: end.toISOString() };
}
