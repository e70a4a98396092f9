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
import type { CheckoutNotice, SessionState } from '../client/checkout/session.js';
import { createDomElement } from '../client/checkout/views/panel.js';
import type { RampMessages } from '../messages/RampMessages.js';
import { isConnectionError } from '../protocol/errors/errorKinds.js';

type Messages = Partial<RampMessages> | undefined;

/** The element whose note is shown. */
type NoteHost = HTMLElement & { open(): void; close(): void };

const notes = new WeakMap<NoteHost, ReturnType<typeof createNote>>();

/**
 * Shows the error or the notice of a state below the button of an element, as the component `CheckoutNote` does. If
 * there is neither, it leaves an empty live region: screen readers announce only changes of a region that exists.
 */
export function showNote(host: NoteHost, state: SessionState, messages: Messages): void {
  const note = notes.get(host) ?? createNote(host);
  notes.set(host, note);
  note.show(state, messages);
}

function createNote(host: NoteHost) {
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
    revealCard(facts, orderCard, notice);
  }

  return {
    show({ error, notice: next, Note, ...state }: SessionState, messages: Messages): void {
      ignoreOnline();
      if (!Note) {
        observer.disconnect();
        setNotice(undefined, messages);
        line?.remove();
        line = undefined;
        return;
      }
      observer.observe(host, { childList: true });
      if (error) {
        setNotice(undefined, messages);
        const onRetry = state.retry ?? (() => host.open());
        const parts = describeError(error, state as SessionState, messages, onRetry);
        const alert = setLine('ramp-note', 'alert');
        fill(alert, parts);
        host.append(alert);
        if (!isConnectionError(error)) return;
        const close = () => host.close();
        addEventListener('online', close);
        ignoreOnline = () => removeEventListener('online', close);
        return;
      }
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
    // A space separates two parts.
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
