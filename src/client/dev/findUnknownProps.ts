// Loaded in development builds only.
import { findNearestName } from '../../protocol/findNearestName.js';

/**
 * Returns a message for each prop that is probably misspelt: it is neither in `known` nor an attribute of a button, but
 * resembles a name in `known`.
 */
export function findUnknownProps(props: object, known: readonly string[]): string[] {
  const attributes = document.createElement('button');
  return Object.keys(props).flatMap((name) => {
    const isAttribute =
      name in attributes || name.toLowerCase() in attributes || name.includes('-');
    const meant = isAttribute || known.includes(name) ? undefined : findNearestName(name, known);
    return meant ? [`Unknown prop ${name}: did you mean ${meant}?`] : [];
  });
}
