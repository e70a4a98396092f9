// Loaded in development builds only.
import { findNearestName } from '../../protocol/findNearestName.js';

/** Returns a sentence for each prop that is neither one of `known` nor an attribute, but resembles one of them. */
export function findUnknownProps(props: object, known: readonly string[]): string[] {
  const attributes = document.createElement('button');
  return Object.keys(props).flatMap((name) => {
    const isAttribute =
      name in attributes || name.toLowerCase() in attributes || name.includes('-');
    const meant = isAttribute || known.includes(name) ? undefined : findNearestName(name, known);
    return meant ? [`Unknown prop ${name}: did you mean ${meant}?`] : [];
  });
}

/** The settings of a provider and of a button. */
export const settingNames: readonly string[] = [
  ...['widgetUrl', 'signer', 'api', 'credentials', 'headers', 'messages', 'language', 'partnerId'],
  ...['maxAgeSeconds', 'display', 'allow', 'sandbox', 'referrerPolicy', 'extraParams', 'render'],
  ...['onEvent', 'onStatusChange', 'onOpen', 'onLoad', 'onClose', 'onBlocked', 'onError'],
  ...['widget', 'signedParams', 'unsignedParams', 'bind', 'windowOpenName'],
];
