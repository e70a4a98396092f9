/** The text of a documentation comment, for readers who do not see the TSDoc. */
export interface PlainText {
  readonly text: string;
  /** The text after `@default`. */
  readonly defaultValue?: string;
}

const link = /\{@link\s+([^}|\s]+)(?:\s*\|\s*|\s+)?([^}]*)\}/g;
const sections = String.raw`sections?\s+[\d.]*\d(?:(?:,|\s+and|\s+to)\s+[\d.]*\d)*`;
const inParentheses = new RegExp(String.raw`\s*\(service interface,\s+${sections}\)`, 'g');
const inSentence = new RegExp(String.raw`${sections}\s+of\s+the\s+service\s+interface`, 'g');

/**
 * Returns the text of a documentation comment as Markdown. Links become their text or a name in code. A reference to
 * sections of the service interface is removed if it is in parentheses, and otherwise becomes "the service's
 * interface". Block tags such as `@example` end the text.
 */
export function toPlainText(comment: string): PlainText {
  const [description = '', tag, value = ''] = comment.split(/(?:^|\s)@([a-z]\w*)\b\s*([\s\S]*)/);
  const text = description
    .replace(link, (_, name: string, label: string) => label.trim() || `\`${name}\``)
    .replace(inParentheses, '')
    .replace(inSentence, "the service's interface")
    .trim();
  return tag === 'default' ? { text, defaultValue: value.trim().replace(/\s+/g, ' ') } : { text };
}
