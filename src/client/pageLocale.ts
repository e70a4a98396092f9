/** Returns the document's language, or the browser's if the document has none. */
export const getPageLocale = (): string => document.documentElement.lang || navigator.language;
