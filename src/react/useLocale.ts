import { useSyncExternalStore } from 'react';
import { getPageLocale } from '../client/pageLocale.js';

/**
 * Returns the locale for amounts and times: `locale`, else `language`, else the document's or the browser's. A server
 * knows neither document nor browser, so it formats in English, and so does the first render in the page.
 */
export function useLocale(locale: string | undefined, language: string | undefined): string {
  const ofPage = useSyncExternalStore(subscribe, getPageLocale, getServerLocale);
  return locale || language || ofPage;
}

const subscribe = () => () => {};
const getServerLocale = () => 'en';
