/**
 * Creates a stand-in for the window that `window.open` returns, so that a story opens no real window. It loads nothing.
 */
export function createFakeWindow(): Window {
  const opened = {
    closed: false,
    opener: null,
    document: document.implementation.createHTMLDocument(),
    location: { href: 'about:blank', replace() {} },
    focus() {},
    moveTo() {},
    outerWidth: 480,
    outerHeight: 760,
    close() {
      opened.closed = true;
    },
  };
  return opened as unknown as Window;
}
