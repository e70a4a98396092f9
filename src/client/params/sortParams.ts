import type { ProposedParams } from '../../protocol/widget/parseWidgetParams.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import type { NftParameterProps } from './NftParameters.js';
import type { OnRampParameterProps } from './OnRampParameters.js';
import { parameterNames } from './parameterNames.js';
import { pickParams } from './pickParams.js';

/** The parameters of a widget, as the props of its button. */
export type WidgetParams<W extends Widget> = W extends 'nft'
  ? NftParameterProps
  : OnRampParameterProps;

export interface SortedParams {
  /** Parameters that are proposed to the signer, as text. */
  readonly signedParams: ProposedParams;
  /**
   * Parameters that the browser adds to the URL, as text. Unknown names are among them, so that building the URL
   * refuses them.
   */
  readonly unsignedParams: ProposedParams;
}

/** Sorts the parameters of a widget into those that must be signed and the others. */
export function sortParams(widget: Widget, params: object): SortedParams {
  const { signed } = parameterNames[widget];
  const [signedParams, others] = pickParams(params, signed);
  const [unsignedParams] = pickParams(others, Object.keys(others));
  return { signedParams, unsignedParams };
}
