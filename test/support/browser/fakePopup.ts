import { vi } from 'vitest';

/** Creates a fake of the window that `window.open` returns. It does not load its URL. */
export function fakePopup() {
  const opened = {
    closed: false,
    opener: window as Window | null,
    document: document.implementation.createHTMLDocument(),
    location: { replace: vi.fn<(url: string) => void>() },
    focus: vi.fn(),
    moveTo: vi.fn(),
    outerWidth: 480,
    outerHeight: 760,
    close: vi.fn(() => {
      opened.closed = true;
    }),
  };
  return opened;
}
