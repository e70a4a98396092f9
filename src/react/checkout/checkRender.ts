// Loaded in development builds only.
import { isValidElement } from 'react';
import { warnOnce } from '../dev/warnInDev.js';
import type { CheckoutOptions } from './CheckoutOptions.js';

const checked = new Set<string>();

/** Calls the `render` function of a button once more, and warns if it does not use `onClick`. */
export function checkRender({
  widget,
  render,
}: CheckoutOptions & { readonly render?: unknown }): void {
  if (typeof render !== 'function' || checked.has(`${render}`)) return;
  checked.add(`${render}`);
  let isRead = false;
  const target = { onClick() {}, type: 'button', 'data-state': 'idle', children: null };
  const props = new Proxy(target, {
    get(given, name) {
      if (name === 'onClick') isRead = true;
      return given[name as keyof typeof given];
    },
  });
  try {
    if (usesProps(render(props, { status: 'idle' }), props) || isRead) return;
  } catch {
    // It uses hooks, or state that is missing here.
    return;
  }
  warnOnce(
    `The render function of the ${widget} button did not use onClick, so a click opens nothing. Spread its props onto your button: render={(props) => <MyButton {...props} />}`,
  );
}

/** Returns whether an element, or one inside it, has an event handler or gets the props as a whole. */
function usesProps(node: unknown, props: object): boolean {
  if (Array.isArray(node)) return node.some((one) => usesProps(one, props));
  if (!isValidElement<Record<string, unknown>>(node)) return false;
  return Object.entries(node.props).some(
    ([name, value]) =>
      value === props ||
      (/^on[A-Z]/.test(name) && typeof value === 'function') ||
      (name === 'children' && usesProps(value, props)),
  );
}
