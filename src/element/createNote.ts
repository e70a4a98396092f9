import type { CheckoutNotice } from '../client/checkout/CheckoutNotice.js';
import type { CheckoutState } from '../client/checkout/checkoutStates.js';
import {
  describeError,
  describeNotice,
  getNews,
  type NotePart,
  noFacts,
  revealCard,
  revealNotice,
  watchNotice,
} from '../client/checkout/noteContent.js';
import { createDomElement } from '../client/checkout/views/domElements.js';
import type { RampMessages } from '../messages/RampMessages.js';
import { isConnectionError } from '../protocol/errors/errorKinds.js';
import { type NoteHost, OWN_PART } from './NoteHost.js';

type Messages = Partial<RampMessages> | undefined;

/** Creates the note of an element: an error or a notice, as plain DOM. */
export function createNote(host: NoteHost) {
  let line: HTMLElement | undefined;
  let notice: CheckoutNotice | undefined;
  let facts = noFacts;
  let orderCard: Element | undefined;
  let stopWatch: (() => void) | undefined;
  let ignoreOnline = () => {};

  // A framework that changes the label may remove every child of the element, so put the note back.
  const observer = new MutationObserver(() => {
    if (line && line.parentNode !== host) host.append(line);
  });

  function setLine(className: string, role: string): HTMLElement {
    if (line?.className === className) return line;
    line?.remove();
    line = createDomElement('span', className);
    line.slot = 'note';
    line.setAttribute(OWN_PART, '');
    line.setAttribute('role', role);
    return line;
  }

  function setNotice(next: CheckoutNotice | undefined, messages: Messages): void {
    const earlier = notice;
    if (next === earlier) return;
    stopWatch?.();
    notice = next;
    if (!notice) {
      facts = noFacts;
      orderCard = undefined;
    }
    stopWatch =
      notice &&
      watchNotice(notice, (update) => {
        facts = update(facts);
        showNotice(messages);
      });
  }

  function showNotice(messages: Messages): void {
    if (!line || !notice) return;
    const content = describeNotice(notice, facts, messages);
    fill(line, content.parts, 'ramp-notice-button');
    if (content.orderCard === orderCard) return;
    orderCard = content.orderCard;
    revealCard(orderCard, notice);
  }

  return {
    /** Removes the note while another text takes its place. */
    hide(): void {
      ignoreOnline();
      observer.disconnect();
      setNotice(undefined, undefined);
      line?.remove();
      line = undefined;
    },
    show(state: CheckoutState, messages: Messages): void {
      ignoreOnline();
      observer.observe(host, { childList: true });
      if (state.error) {
        setNotice(undefined, messages);
        const parts = describeError(state, messages, state.retry ?? (() => host.open()));
        const alert = setLine('ramp-note', 'alert');
        fill(alert, parts);
        host.append(alert);
        if (!isConnectionError(state.error)) return;
        const close = () => host.close();
        addEventListener('online', close);
        ignoreOnline = () => removeEventListener('online', close);
        return;
      }
      const next = state.notice;
      const region = setLine('ramp-notice', 'status');
      if (!region.isConnected) host.append(region);
      if (next?.isAnnounced) region.setAttribute('aria-live', 'off');
      else region.removeAttribute('aria-live');
      const isNew = getNews(next) !== getNews(notice);
      setNotice(next, messages);
      if (notice) showNotice(messages);
      else fill(region, []);
      // If a card shows the order, `showNotice` has scrolled to the card.
      if (isNew && !orderCard) revealNotice(getNews(notice), region);
    },
  };
}

type TextPart = string | { readonly strong: string };
type Control = Exclude<NotePart, TextPart>;

const isControl = (part: NotePart): part is Control =>
  typeof part === 'object' && !('strong' in part);

/** The key of each button in a note. */
const keys = new WeakMap<Element, string>();
/** What a line last said. The page may show a translation of it. */
const shownTexts = new WeakMap<HTMLElement, string>();

/**
 * Replaces the content of a line. A button or link stays the same element, so that it keeps the focus while the text
 * before it changes. A text that has not changed is not announced again.
 */
function fill(line: HTMLElement, parts: readonly NotePart[], buttonClass = ''): void {
  const present = [...line.querySelectorAll<HTMLElement>('button, a')];
  const controls = parts.filter(isControl).map((control) => {
    const key = 'button' in control ? (control.key ?? 'button') : 'link';
    const element =
      present.find((other) => keys.get(other) === key) ??
      createDomElement('button' in control ? 'button' : 'a', buttonClass);
    keys.set(element, key);
    setControl(element, control);
    return element;
  });
  for (const element of present) if (!controls.includes(element)) element.remove();
  const texts = parts
    .filter((part): part is TextPart => !isControl(part))
    // Parts are separated by spaces.
    .map((part, i, { length }) =>
      createTextElement(part, controls.length > 0 || i < length - 1 ? ' ' : ''),
    );
  const text = texts.map(({ textContent }) => textContent).join('');
  if (text !== shownTexts.get(line)) {
    shownTexts.set(line, text);
    for (const node of [...line.childNodes])
      if (!controls.includes(node as HTMLElement)) node.remove();
    line.prepend(...texts);
  }
  for (const element of controls) if (!element.isConnected) line.append(element);
}

const createTextElement = (part: TextPart, end: string): HTMLElement =>
  typeof part === 'string'
    ? createDomElement('span', '', part + end)
    : createDomElement('strong', '', part.strong + end);

function setControl(element: HTMLElement, control: Control): void {
  const label = 'button' in control ? control.button : control.link;
  if (shownTexts.get(element) !== label) element.textContent = label;
  shownTexts.set(element, label);
  if ('button' in control) {
    (element as HTMLButtonElement).type = 'button';
    element.onclick = control.onClick;
    return;
  }
  const { href, onUse } = control;
  Object.assign(element, { href, target: '_blank', rel: 'noreferrer', onclick: onUse });
  // The middle mouse button opens the link too; the right button only opens a menu.
  element.onauxclick = ({ button }) => button === 1 && onUse();
}
