/** Returns the language of the document, or else of the browser. */
export const getPageLocale = (): string => document.documentElement.lang || navigator.language;
