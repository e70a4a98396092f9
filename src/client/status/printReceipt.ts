/** One line of a receipt: its label, and its value with every digit. */
export type ReceiptLine = readonly [name: string, value: string];

/** How long a frame is kept in a browser that does not report the end of printing, in milliseconds. */
const KEPT_MS = 60_000;

/**
 * Prints a receipt without the rest of the page. The receipt is built in a hidden frame, because a print stylesheet
 * cannot hide the rest of a page that it does not know.
 *
 * @param trigger - The button, which gets the focus back after printing.
 */
export function printReceipt(
  title: string,
  lines: readonly ReceiptLine[],
  trigger: HTMLElement,
): void {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  // Firefox does not print a frame with `display: none`.
  Object.assign(frame.style, { position: 'fixed', width: '0', height: '0', border: '0' });
  const remove = () => {
    // Return the focus. `target.focus()` below moves it to the frame, because some browsers print the focused frame.
    if (document.activeElement === frame) trigger.focus({ preventScroll: true });
    frame.remove();
  };
  // Firefox replaces the empty document once the frame has loaded, so wait for `load`.
  frame.addEventListener(
    'load',
    () => {
      const { contentWindow: target, contentDocument: page } = frame;
      if (!target || !page) return remove();
      writeReceipt(page, title, lines);
      target.addEventListener('afterprint', () => setTimeout(remove));
      setTimeout(remove, KEPT_MS);
      // Chromium emits `load` before it lays out an empty frame, so print a task later.
      setTimeout(() => {
        target.focus();
        target.print();
      });
    },
    { once: true },
  );
  document.body.append(frame);
}

function writeReceipt(page: Document, title: string, lines: readonly ReceiptLine[]): void {
  const { documentElement: root } = document;
  const direction = getComputedStyle(root).direction;
  // Set properties, not a `style` attribute, which the page's Content-Security-Policy may refuse.
  page.documentElement.lang = root.lang;
  page.documentElement.dir = direction;
  page.title = `${title} · ${location.host}`;
  Object.assign(page.body.style, { font: '11pt/1.5 system-ui, sans-serif', margin: '0' });
  const add = (parent: Element, tag: string, text: string, style: Partial<CSSStyleDeclaration>) => {
    const element = page.createElement(tag);
    element.textContent = text;
    Object.assign((element as HTMLElement).style, style);
    parent.append(element);
    return element;
  };
  add(page.body, 'h1', title, { fontSize: '16pt', margin: '0 0 2pt' });
  add(page.body, 'p', location.host, { margin: '0 0 14pt' });
  const list = add(page.body, 'dl', '', { margin: '0' });
  for (const [name, value] of lines) {
    add(list, 'dt', name, { fontSize: '9pt', color: '#555' });
    const text = add(list, 'dd', value, { margin: '0 0 8pt', overflowWrap: 'anywhere' });
    text.setAttribute('dir', 'auto');
    Object.assign((text as HTMLElement).style, { textAlign: 'start' });
  }
}
