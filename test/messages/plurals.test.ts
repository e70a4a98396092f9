import { describe, expect, it } from 'vitest';
import { messages as ar } from '../../src/messages/ar.js';
import { messages as de } from '../../src/messages/de.js';
import { messages as en } from '../../src/messages/en.js';
import { messages as es } from '../../src/messages/es.js';
import { messages as fr } from '../../src/messages/fr.js';
import { messages as ja } from '../../src/messages/ja.js';
import { messages as zh } from '../../src/messages/zh.js';
import { fillText, getPluralCategory, type PluralText } from '../../src/protocol/fillText.js';

const languages = { ar, de, en, es, fr, ja, zh };

/** Fills a text of a language as the components do. */
const fill = (
  name: 'retryIn' | 'historyShown',
  { textLanguage, ...messages }: typeof en,
  count: number,
) => {
  const values = { seconds: `${count}`, count: `${count}` };
  return fillText(messages[name], values, getPluralCategory(count, textLanguage));
};

describe('texts with a number', () => {
  it.each([
    ['en', 1, 'Try again in 1 second.', '1 order shown.'],
    ['en', 2, 'Try again in 2 seconds.', '2 orders shown.'],
    ['de', 1, 'Versuchen Sie es in 1 Sekunde erneut.', '1 Bestellung wird angezeigt.'],
    ['de', 20, 'Versuchen Sie es in 20 Sekunden erneut.', '20 Bestellungen werden angezeigt.'],
    ['es', 1, 'Inténtalo de nuevo en 1 segundo.', '1 pedido mostrado.'],
    ['es', 2, 'Inténtalo de nuevo en 2 segundos.', '2 pedidos mostrados.'],
    // French has the singular for 0 too, and a form of its own for millions.
    ['fr', 0, 'Réessayez dans 0 seconde.', '0 commande affichée.'],
    ['fr', 1, 'Réessayez dans 1 seconde.', '1 commande affichée.'],
    ['fr', 2, 'Réessayez dans 2 secondes.', '2 commandes affichées.'],
    ['fr', 1e6, 'Réessayez dans 1000000 secondes.', '1000000 commandes affichées.'],
    ['ja', 1, '1 秒後にもう一度お試しください。', '1 件の注文を表示しています。'],
    ['zh', 1, '请在 1 秒后重试。', '已显示 1 个订单。'],
    ['ar', 1, 'حاول مرة أخرى بعد ثانية واحدة.', 'يُعرض طلب واحد.'],
    ['ar', 2, 'حاول مرة أخرى بعد ثانيتين.', 'يُعرض طلبان.'],
    ['ar', 3, 'حاول مرة أخرى بعد 3 ثوانٍ.', 'تُعرض 3 طلبات.'],
    ['ar', 11, 'حاول مرة أخرى بعد 11 ثانية.', 'يُعرض 11 طلبًا.'],
    ['ar', 100, 'حاول مرة أخرى بعد 100 ثانية.', 'يُعرض 100 طلب.'],
  ] as const)('agree with it: %s %d', (language, count, retry, shown) => {
    expect(fill('retryIn', languages[language], count)).toBe(retry);
    expect(fill('historyShown', languages[language], count)).toBe(shown);
  });

  it.each(Object.entries(languages))('have a form for each number: %s', (language, messages) => {
    expect(messages.textLanguage).toBe(language);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const text of [messages.retryIn, messages.historyShown] as readonly PluralText[]) {
      if (typeof text === 'string') {
        expect(pluralCategories).toEqual(['other']);
        continue;
      }
      // The rare category "many" of Spanish and French is for millions.
      const needed = pluralCategories.filter((name) => name !== 'many' || language === 'ar');
      expect(Object.keys(text).sort()).toEqual([...needed].sort());
    }
  });
});
