import { useState } from 'react';

/**
 * Copies text. If the browser does not allow copying, the state is `shown`. Then show the text, so that the shopper can
 * select it.
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
