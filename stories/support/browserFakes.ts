import { expect, spyOn, waitFor } from 'storybook/test';

/** Makes the browser look like the web view of an app until the end of the story. Such apps often open no windows. */
export function pretendWebView(): void {
  spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (Linux; Android 16; Pixel 10; wv) AppleWebKit/537.36 Chrome/150.0 Mobile Instagram 400.0',
  );
}

interface Departure {
  /** Waits until the page would have been left, and returns the address that it would have gone to. */
  find(): Promise<string>;
  /** Lets the page be left again. */
  end(): void;
}

/** Keeps the page from being left, because the story would be gone. */
export function preventDeparture(): Departure {
  let address: string | undefined;
  const onNavigate = (event: NavigateEvent) => {
    if (event.destination.sameDocument) return;
    event.preventDefault();
    address = event.destination.url;
  };
  navigation.addEventListener('navigate', onNavigate);
  return {
    async find() {
      await waitFor(() => expect(address).toBeDefined());
      return `${address}`;
    },
    end: () => navigation.removeEventListener('navigate', onNavigate),
  };
}

/** Follows no link until the end of the story, as apps do whose web view opens no windows. */
export function ignoreLinks(): () => void {
  const onClick = (event: Event) => {
    if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
  };
  addEventListener('click', onClick);
  return () => removeEventListener('click', onClick);
}
