/**
 * Puts the focus on the card around a button that goes away once it is clicked, so that who works by
 * keyboard goes on from here and not from the top of the page. No field: a phone would open its keys.
 */
export function focusCard(button: Element): void {
  const card = button.closest<HTMLElement>('.ramp-quote, .ramp-status');
  if (!card) return;
  if (!card.hasAttribute('tabindex')) {
    card.tabIndex = -1;
    // For so long alone, or each click into the card would focus it.
    card.addEventListener('blur', () => card.removeAttribute('tabindex'), { once: true });
  }
  card.focus({ preventScroll: true });
}
