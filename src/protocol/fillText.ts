/**
 * A text with a number. An object holds one text for each plural category of its language, such as `one`. `other`
 * stands in for the categories that are missing.
 */
export type PluralText =
  | string
  | ({ readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string });

/**
 * Replaces each `{name}` in a text with its value. A placeholder without a value stays visible, so that the mistake is
 * noticed. The components and the sandbox's widget fill in their texts with this function.
 *
 * @param category - The plural category of the number in the text, from {@link getPluralCategory}.
 */
export function fillText(
  text: PluralText,
  values: Readonly<Record<string, string>>,
  category: Intl.LDMLPluralRule = 'other',
): string {
  const form = typeof text === 'string' ? text : (text[category] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Returns a number's plural category in a language. */
export function getPluralCategory(count: number, language = 'en'): Intl.LDMLPluralRule {
  try {
    return new Intl.PluralRules(language).select(count);
  } catch {
    // The language is malformed.
    return 'other';
  }
}
