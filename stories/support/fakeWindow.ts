import { spyOn } from 'storybook/test';

/**
 * Creates a stand-in for the window that `window.open` returns, so that a story opens no real window. It loads nothing.
 */
function createFakeWindow(): Window {
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

/** How long after it was closed the page may notice that, with some time to spare. */
const NOTICED_MS = 300;

/** Opens a stand-in for each window until the end of the story. */
export function fakeWindows(): { readonly opened: Window; readonly end: () => Promise<void> } {
  const opened = createFakeWindow();
  spyOn(window, 'open').mockReturnValue(opened);
  return {
    opened,
    // A window stays open without its button, and would hide the notes of later stories, which share the page. So it is
    // closed, and the page must notice that before the next story begins: it then asks about this checkout.
    async end() {
      opened.close();
      await new Promise((done) => setTimeout(done, NOTICED_MS));
    },
  };
}
