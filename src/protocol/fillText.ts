/**
 * Replaces each `{name}` of a text with its value, and keeps one without a value, so that a missing
 * value is noticed. The texts of the components and of the sandbox's widget follow this one rule.
 */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
