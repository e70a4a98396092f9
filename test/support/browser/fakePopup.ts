import { vi } from 'vitest';

/** Creates a fake of the window that `window.open` returns. It does not load its URL. */
export function fakePopup() {
  let isClosed = false;
  let looks = 0;
  const opened = {
    get closed() {
      if (isClosed) opened.isNoticed = true;
      return isClosed;
    },
    set closed(value) {
      isClosed = value;
    },
    /** Whether the page has read `closed` since the window was closed. */
    isNoticed: false,
    /** How often the page has looked whether the window still shows its blank document. */
    get looks() {
      return looks;
    },
    opener: window as Window | null,
    document: document.implementation.createHTMLDocument(),
    location: {
      replace: vi.fn<(url: string) => void>(),
      /** The page cannot read the address of another site. */
      get href(): string {
        looks++;
        throw new DOMException('Blocked a frame', 'SecurityError');
      },
    },
    focus: vi.fn(),
    moveTo: vi.fn(),
    outerWidth: 480,
    outerHeight: 760,
    close: vi.fn(() => {
      isClosed = true;
    }),
  };
  return opened;
}

type FakePopup = ReturnType<typeof fakePopup>;

/** Waits until the page has looked at the window so often that it knows that the blank document is gone. */
export const untilKnown = (popup: FakePopup | undefined) => until(() => (popup?.looks ?? 0) >= 3);

/** Waits until the page has noticed that the window was closed. */
export const untilNoticed = (popup: FakePopup | undefined) =>
  until(() => popup?.isNoticed !== false);

/** The page looks with an interval that `accelerateTime` does not fake, so this wait uses one too. */
const until = (isTrue: () => boolean) =>
  new Promise<void>((done) => {
    const timer = setInterval(() => {
      if (!isTrue()) return;
      clearInterval(timer);
      done();
    }, 20);
  });
