import { useSyncExternalStore } from 'react';
import { getPageLocale } from '../client/pageLocale.js';

/**
 * Returns the locale of amounts and times: `locale`, else `language`, else that of the document or the browser. A
 * server does not know the last two, so it formats in English, and so does the first render in the page.
 */
export function useLocale(locale: string | undefined, language: string | undefined): string {
  const ofPage = useSyncExternalStore(subscribe, getPageLocale, getServerLocale);
  return locale || language || ofPage;
}

const subscribe = () => () => {};
const getServerLocale = () => 'en';
