import { act } from '@testing-library/react';

/** Clicks the link that replaces a blocked window. The new window then takes the focus, as in a browser. */
export async function openLink(link: HTMLElement): Promise<void> {
  link.addEventListener('click', (event) => event.preventDefault(), { once: true });
  await act(async () => {
    link.click();
    // The component handles the click once the browser has followed the link.
    await new Promise((done) => setTimeout(done));
    window.dispatchEvent(new Event('blur'));
  });
}
