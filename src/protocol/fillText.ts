/**
 * Replaces each `{name}` of a text with its value. A name without a value stays, so that the missing value
 * is noticed. The texts of the components and of the sandbox's widget use it.
 */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
