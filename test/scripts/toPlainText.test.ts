import { describe, expect, it } from 'vitest';
import { toPlainText } from '../../scripts/docs/plainText.js';

describe('toPlainText', () => {
  it('replaces links with their text or a name', () => {
    expect(toPlainText('See {@link RampProvider} and {@link useQuote | the hook}.').text).toBe(
      'See `RampProvider` and the hook.',
    );
  });

  it('leaves out references to sections of the interface', () => {
    const comment =
      'Every parameter (docs/service-interface.md\nsection 4.7) is a prop that docs/service-interface.md section 4.7 lists.';
    expect(toPlainText(comment).text).toBe(
      "Every parameter is a prop that the service's interface lists.",
    );
  });

  it('returns the default apart from the text', () => {
    expect(toPlainText("Where the widget is shown. @default 'modal'")).toEqual({
      text: 'Where the widget is shown.',
      defaultValue: "'modal'",
    });
  });

  it('ends the text at any other tag', () => {
    expect(toPlainText('A card.\n\n@example\n<Card />')).toEqual({ text: 'A card.' });
  });

  it('keeps an address that contains an @', () => {
    expect(toPlainText('Such as shopper@shop.example.').text).toBe('Such as shopper@shop.example.');
  });
});
