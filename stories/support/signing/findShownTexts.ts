import { expect, waitFor } from 'storybook/test';

/** Waits until the texts below a button belong to its props, and returns them. */
export function findShownTexts(canvas: HTMLElement): Promise<{ url: string; payload: string }> {
  return waitFor(() => {
    const panel = canvas.querySelector('.signing');
    expect(panel).toHaveAttribute('aria-busy', 'false');
    const text = (of: string) => {
      const shown = panel?.querySelector(`[data-text="${of}"]`);
      expect(shown).toBeInTheDocument();
      return shown?.textContent ?? '';
    };
    return { url: text('url'), payload: text('payload') };
  });
}
