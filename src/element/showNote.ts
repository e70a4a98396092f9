import type { CheckoutState } from '../client/checkout/checkoutStates.js';
import { createCodeLoader } from '../client/createCodeLoader.js';
import type { RampMessages } from '../messages/RampMessages.js';
import { type NoteHost, OWN_PART } from './NoteHost.js';

/** The code that shows errors and notices. */
export const noteCode = /* @__PURE__ */ createCodeLoader(() => import('./createNote.js'));

type Note = ReturnType<typeof import('./createNote.js').createNote>;

interface ShownNote {
  state: CheckoutState;
  messages: Partial<RampMessages> | undefined;
  note?: Note;
  /** Shows an error if the code that shows errors could not be loaded. */
  fallback?: HTMLElement | undefined;
}

const shown = new WeakMap<NoteHost, ShownNote>();

/**
 * Shows a state's error or notice below the element's button, as the component `CheckoutNote` does. The live region is
 * there from the first click on, because screen readers announce only changes to a region that already exists.
 */
export function showNote(
  host: NoteHost,
  state: CheckoutState,
  messages: Partial<RampMessages> | undefined,
): void {
  const entry = shown.get(host) ?? { state, messages };
  shown.set(host, Object.assign(entry, { state, messages }));
  // Without `retry` or a link, the code of the checkout could not be loaded.
  if (state.error && !state.retry && !state.url) {
    entry.note?.hide();
    showReload(host, entry);
    return;
  }
  entry.fallback?.remove();
  entry.fallback = undefined;
  if (entry.note) entry.note.show(state, messages);
  else if (state.status !== 'idle' || state.notice) loadNote(host, entry);
}

function loadNote(host: NoteHost, entry: ShownNote): void {
  noteCode.load().then(
    ({ createNote }) => {
      entry.note ??= createNote(host);
      // The state may have changed while the code loaded, even to an error that is shown without it.
      showNote(host, entry.state, entry.messages);
    },
    () => showReload(host, entry),
  );
}

function showReload(host: NoteHost, entry: ShownNote): void {
  const { state, messages } = entry;
  if (!state.error || entry.fallback) return;
  const line = document.createElement('span');
  line.slot = 'note';
  line.className = 'ramp-note';
  line.setAttribute('role', 'alert');
  line.setAttribute(OWN_PART, '');
  line.textContent = messages?.reload ?? state.error.message;
  entry.fallback = host.appendChild(line);
}
