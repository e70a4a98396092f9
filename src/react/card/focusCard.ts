/**
 * Moves the focus to the card around a button that disappears when it is clicked, so that keyboard users do
 * not start again at the top of the page. It does not focus a field, because that opens a phone's keyboard.
 */
export function focusCard(button: Element): void {
  const card = button.closest<HTMLElement>('.ramp-quote, .ramp-status');
  if (!card) return;
  if (!card.hasAttribute('tabindex')) {
    card.tabIndex = -1;
    // Focusable only until it loses the focus, or each click into the card would focus it.
    card.addEventListener('blur', () => card.removeAttribute('tabindex'), { once: true });
  }
  card.focus({ preventScroll: true });
}
