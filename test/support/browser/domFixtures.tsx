import { act } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach } from 'vitest';
import { userEvent } from 'vitest/browser';
import styles from '../../../src/styles.css?inline';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const each of undo.splice(0).reverse()) each();
});

/** Appends an element, by default to the body, and removes it after the test. */
export function appendElement<E extends HTMLElement>(
  element: E,
  into: ParentNode = document.body,
): E {
  into.append(element);
  undo.push(() => element.remove());
  return element;
}

/** Creates a frame of the same origin with the package's stylesheet. Returns the document in the frame. */
export function createFrameDocument(): Document {
  const frame = appendElement(document.createElement('iframe'));
  frame.style.cssText = 'width: 600px; height: 600px';
  const inside = frame.contentDocument as Document;
  inside.head.append(Object.assign(inside.createElement('style'), { textContent: styles }));
  return inside;
}

/** Creates a shadow tree with the package's stylesheet. The page around it does not have the stylesheet. */
export function createShadowTree(
  mode: ShadowRootMode,
  into: ParentNode = document.body,
): ShadowRoot {
  const tree = appendElement(document.createElement('div'), into).attachShadow({ mode });
  tree.append(Object.assign(document.createElement('style'), { textContent: styles }));
  return tree;
}

/** Renders into an element or a document fragment, such as a shadow root. Testing Library only supports elements. */
export function renderInto(place: Element | DocumentFragment, content: ReactNode): Root {
  const root = createRoot(place);
  act(() => root.render(content));
  undo.push(() => act(() => root.unmount()));
  return root;
}

/** Clicks with trusted events. Unlike locators it reaches elements in frames and in closed shadow trees. */
export async function clickElement(element: Element): Promise<void> {
  const tree = element.getRootNode();
  const { x, y, width, height } = element.getBoundingClientRect();
  const middle = { x: x + width / 2, y: y + height / 2 };
  if (!(tree instanceof ShadowRoot)) {
    const frame = element.ownerDocument.defaultView?.frameElement;
    return userEvent.click(frame as Element, { position: middle });
  }
  const host = tree.host.getBoundingClientRect();
  await userEvent.click(tree.host, { position: { x: middle.x - host.x, y: middle.y - host.y } });
}
