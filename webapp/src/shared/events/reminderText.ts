/** When an event starts, in the words of the server's pushes. */
export function reminderText(minutes: number): string {
  if (minutes === 0) return 'It has started. Come and play!';
  return minutes === 1 ? 'It starts in a minute.' : `It starts in ${minutes} minutes.`;
}
