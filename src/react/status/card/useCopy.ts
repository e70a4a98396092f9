import { useState } from 'react';

/**
 * Copies a text. The state is `shown` if the browser does not allow that: then show the text, so that it can be
 * selected.
 */
export function useCopy(text: string) {
  const [state, setState] = useState<'idle' | 'copied' | 'shown'>('idle');
  async function copy() {
    // Clear the status of an earlier copy, because screen readers announce only changes.
    setState('idle');
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('shown');
    }
  }
  return { state, copy, show: () => setState('shown') };
}
