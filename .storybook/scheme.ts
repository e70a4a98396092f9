/** The values of the toolbar's global `scheme`. `system` follows the setting of the operating system. */
export const schemes = ['system', 'light', 'dark'] as const;

export type Scheme = 'light' | 'dark';

const systemDark = matchMedia('(prefers-color-scheme: dark)');

export function resolveScheme(value: unknown): Scheme {
  if (value === 'light' || value === 'dark') return value;
  return systemDark.matches ? 'dark' : 'light';
}

/** Calls `onChange` when the setting of the operating system changes. Returns a function that unsubscribes. */
export function subscribeSystemScheme(onChange: () => void): () => void {
  systemDark.addEventListener('change', onChange);
  return () => systemDark.removeEventListener('change', onChange);
}
