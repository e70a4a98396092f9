/**
 * Moves the focus to the card around `button`, or to `button` if it is the card. Call this before the button is
 * removed: otherwise the focus would be lost, and keyboard users would start again at the top of the page. The card
 * itself gets the focus, because focusing one of its fields would open a phone's keyboard.
 */
export function focusCard(button: Element): void {
  const cards = '.ramp-quote, .ramp-status, .ramp-history li, .ramp-history, .ramp-in-progress';
  const card = button.closest<HTMLElement>(cards);
  if (!card) return;
  if (!card.hasAttribute('tabindex')) {
    card.tabIndex = -1;
    // Make the card focusable only until it loses the focus. Otherwise each click into the card would focus it.
    card.addEventListener('blur', () => card.removeAttribute('tabindex'), { once: true });
  }
  card.focus({ preventScroll: true });
}
