import { describe, expect, it } from 'vitest';
import { buildCheckoutUrl } from '../../../src/client/checkout/buildCheckoutUrl.js';

type Opening = Parameters<typeof buildCheckoutUrl>[0];

const readLanguage = (language: string) => {
  const options = { widget: 'on-ramp', widgetUrl: 'https://pay.example', language };
  const url = buildCheckoutUrl({ options, display: 'window' } as Opening, undefined);
  return new URL(url).searchParams.get('language');
};

describe('the language of the widget', () => {
  it.each(['en', 'pt-BR', 'pt_BR', 'zh-Hant-TW'])('is a code such as %s', (language) => {
    expect(readLanguage(language)).toBe(language);
  });

  it.each(['not a language!!', 'Deutsch, bitte', '-', 'e'])(
    'is that of the service for %s, and the checkout opens',
    (language) => {
      expect(readLanguage(language)).toBeNull();
    },
  );
});
