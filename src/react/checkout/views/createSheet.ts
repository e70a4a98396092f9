import { createDomButton, createDomElement } from './elements.js';

/** The content of a sheet. */
export interface SheetContent {
  readonly title: string;
  readonly hint: string;
  /** The last button dismisses the sheet. */
  readonly buttons: readonly (readonly [label: string, onClick: () => void])[];
}

/** A question over the widget, which stays open below it. */
export interface Sheet {
  show(content: SheetContent): void;
  /** Disables the buttons, except the last, while a request is pending. */
  showBusy(text: string): void;
  remove(): void;
}

let count = 0;

/**
 * Creates a sheet in `place`, which holds the widget's frame. The focus moves into it and then returns to
 * the element that had it. Escape dismisses the sheet and not the dialog around it.
 */
export function createSheet(place: HTMLElement, onDismiss: () => void): Sheet {
  const host = place.parentElement ?? place;
  const covered = host.querySelectorAll<HTMLElement>('.ramp-frame, .ramp-bar-window');
  const setCovered = (isCovered: boolean) => {
    for (const each of covered) each.inert = isCovered;
  };
  const root = host.getRootNode() as Document | ShadowRoot;
  const before = root.activeElement as HTMLElement | null;
  const sheet = createDomElement('div', 'ramp-sheet');
  sheet.tabIndex = -1;
  sheet.setAttribute('role', 'alertdialog');
  const id = `ramp-sheet-${++count}`;
  sheet.setAttribute('aria-labelledby', id);
  sheet.setAttribute('aria-describedby', `${id}-hint`);
  const busy = createDomElement('p', 'ramp-sheet-busy');
  busy.setAttribute('role', 'status');

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Without its default action the key does not close the dialog.
    event.preventDefault();
    event.stopPropagation();
    onDismiss();
  };
  // A phone's back gesture emits `cancel` and no key.
  const onCancel = (event: Event) => {
    event.preventDefault();
    onDismiss();
  };
  host.addEventListener('keydown', onKey, true);
  host.addEventListener('cancel', onCancel);

  return {
    show({ title, hint, buttons }) {
      const heading = createDomElement('p', 'ramp-sheet-title', title);
      heading.id = id;
      const text = createDomElement('p', 'ramp-sheet-hint', hint);
      text.id = `${id}-hint`;
      const row = createDomElement('div', 'ramp-sheet-buttons');
      row.append(...buttons.map(([label, onClick]) => createDomButton('', label, onClick)));
      busy.textContent = '';
      const card = createDomElement('div', 'ramp-sheet-card');
      card.append(heading, text, busy, row);
      sheet.replaceChildren(card);
      setCovered(true);
      place.append(sheet);
      sheet.focus();
    },
    showBusy(text) {
      sheet.focus();
      busy.textContent = text;
      const buttons = [...sheet.querySelectorAll('button')].slice(0, -1);
      for (const each of buttons) each.disabled = true;
    },
    remove() {
      host.removeEventListener('keydown', onKey, true);
      host.removeEventListener('cancel', onCancel);
      setCovered(false);
      const hadFocus = sheet.matches(':focus-within');
      sheet.remove();
      if (hadFocus) before?.focus();
    },
  };
}
