import { useSyncExternalStore } from 'react';

const never = () => () => {};
const ofPage = () => document.documentElement.lang || navigator.language;
const onServer = () => 'en';

/** The language figures are written in. While hydrating as on the server, so that nothing differs. */
export function useLocale(given: string | undefined): string {
  const found = useSyncExternalStore(never, ofPage, onServer);
  return given || found;
}
