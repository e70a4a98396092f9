// Shipped as values, like parameter-names.ts; apart from it because a button needs these only once
// it is clicked.
import { parametersOf, widgetParameters } from '../protocol/widget-parameters.js';

/** The on-ramp parameters that a page without a signer may not use. */
export const onRampPremiumOnly: readonly string[] = parametersOf('on-ramp')
  .filter((row) => row.premiumOnly)
  .map((row) => row.name);

/** Every name of section 4.7; an extra parameter may have none of them. */
export const tableNames: readonly string[] = [...new Set(widgetParameters.map((row) => row.name))];
