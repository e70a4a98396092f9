/** The elements whose text says what a card is about. */
const SUBJECT = '.ramp-status-head [id], .ramp-history-title[id]';

/**
 * Moves the focus to the card around an element, or to the card itself. Call this before a click removes the element:
 * otherwise the focus would be lost, and keyboard users would start again at the top of the page. The card itself gets
 * the focus, because focusing one of its fields would open a phone's keyboard. Screen readers then say its state.
 */
export function focusCard(inside: Element): void {
  const card = inside.closest<HTMLElement>('.ramp-quote, .ramp-status, .ramp-history li');
  if (!card) return;
  const set = (name: string, value: string) => {
    if (!value || card.hasAttribute(name)) return;
    card.setAttribute(name, value);
    // Keep the attribute only until the card loses the focus. Otherwise each click into the card would focus it.
    card.addEventListener('blur', () => card.removeAttribute(name), { once: true });
  };
  set('tabindex', '-1');
  set('aria-describedby', Array.from(card.querySelectorAll(SUBJECT), ({ id }) => id).join(' '));
  card.focus({ preventScroll: true });
}
