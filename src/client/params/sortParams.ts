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
   * Parameters that the browser adds to the URL, as text. They include unknown names, which are refused when the URL is
   * built.
   */
  readonly unsignedParams: ProposedParams;
}

/** Splits a widget's parameters into those that must be signed and the others. */
export function sortParams(widget: Widget, params: object): SortedParams {
  const { signed } = parameterNames[widget];
  const [signedParams, others] = pickParams(params, signed);
  const [unsignedParams] = pickParams(others, Object.keys(others));
  return { signedParams, unsignedParams };
}
