/**
 * Replaces each `{name}` of a text with its value. A placeholder without a value stays visible, so that the mistake
 * is noticed. The components and the sandbox's widget fill in their texts with this function.
 */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
