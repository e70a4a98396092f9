import type { ProposedParams } from '../../protocol/widget/parseWidgetParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { unsignedFormats } from '../params/parameterRules.js';

/** The number of checkouts to keep per backend, as many as `openedCheckouts.ts` keeps. */
const MAX = 5;

/** The choices by reference, newest first. */
type Choices = readonly (readonly [reference: string, params: ProposedParams])[];

/** The choices by `api`, in a browser that blocks the storage. */
const blockedChoices = new Map<string, Choices>();
const getStorageKey = (api: string) => `partner-ramp:choices:${api}`;

/**
 * Returns what the shopper chose when this tab opened a checkout: the unsigned amounts, codes and flags. The backend
 * does not know them, so a checkout that continues would lose them. `sessionStorage` keeps them for every page of the
 * shop in this tab. Unknown and malformed values in it are dropped.
 */
export function getCheckoutChoices(api: string, reference: string, widget: Widget): ProposedParams {
  const [, params = {}] = readChoices(api).find(([known]) => known === reference) ?? [];
  return selectChoices(params, widget);
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
  const others = readChoices(api).filter(([known]) => known !== reference);
  const list: Choices = [[reference, chosen] as const, ...others].slice(0, MAX);
  try {
    sessionStorage.setItem(getStorageKey(api), JSON.stringify(list));
  } catch {
    // If the storage is blocked or full, the choices last only until the shopper leaves the page.
    blockedChoices.set(api, list);
  }
}

function readChoices(api: string): Choices {
  const blocked = blockedChoices.get(api);
  if (blocked) return blocked;
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(getStorageKey(api)) ?? '[]');
    return Array.isArray(list) ? (list.filter(Array.isArray) as [string, ProposedParams][]) : [];
  } catch {
    return [];
  }
}

/** Returns the parameters that the widget accepts unsigned and that have a format other than text. */
function selectChoices(params: unknown, widget: Widget): ProposedParams {
  const formats = unsignedFormats[widget];
  return Object.fromEntries(
    Object.entries(Object(params)).filter(([name, value]) => {
      const pattern = formats[name]?.pattern;
      return pattern && typeof value === 'string' && new RegExp(pattern).test(value);
    }),
  );
}
