/** Moves the focus to a heading, which a screen reader then reads. */
export function focusHeading(heading: HTMLElement): void {
  // Only while it has the focus: otherwise a heading must not be a tab stop.
  heading.tabIndex = -1;
  heading.addEventListener('blur', () => heading.removeAttribute('tabindex'), { once: true });
  heading.focus({ preventScroll: true });
}
