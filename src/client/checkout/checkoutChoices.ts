import type { ProposedParams } from '../../protocol/widget/parseWidgetParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import type { SignedCheckout } from '../backend/createHttpSigner.js';
import { createTabList } from '../createTabList.js';
import { unsignedFormats } from '../params/parameterRules.js';

type Choice = readonly [reference: string, params: ProposedParams];

/** Five checkouts are kept for each backend, as many as `pageCheckouts.ts` keeps. */
const choices = createTabList('choices', 5, (item): item is Choice => Array.isArray(item));

/**
 * Returns what the shopper chose when a checkout was opened: the unsigned amounts, codes and flags. Without them, a
 * continued checkout would offer coins other than the one whose wallet is signed. The tab that opened it keeps them
 * while the shopper moves between pages of the shop. In another tab, or on another device, there is only the selection
 * that the backend has stored. Unknown and malformed values are dropped.
 */
export function getCheckoutChoices(
  api: string,
  reference: string,
  widget: Widget,
  selection: SignedCheckout['selection'],
): ProposedParams {
  const [, params] = choices.read(api).find(([known]) => known === reference) ?? [];
  return selectChoices(params ?? selection, widget);
}

/** Keeps the choices of a checkout. Free text such as an e-mail address is not kept, because it may be personal. */
export function keepCheckoutChoices(
  api: string,
  reference: string,
  widget: Widget,
  params: ProposedParams = {},
): void {
  const chosen = selectChoices(params, widget);
  if (Object.keys(chosen).length === 0) return;
  const others = choices.read(api).filter(([known]) => known !== reference);
  choices.write(api, [[reference, chosen], ...others]);
}

/** Returns the parameters that have an entry in `unsignedFormats` (amounts, codes and flags) and a valid value. */
function selectChoices(params: unknown, widget: Widget): ProposedParams {
  const formats = unsignedFormats[widget];
  return Object.fromEntries(
    Object.entries(Object(params)).filter(([name, value]) => {
      const pattern = formats[name]?.pattern;
      return pattern && typeof value === 'string' && new RegExp(pattern).test(value);
    }),
  );
}
