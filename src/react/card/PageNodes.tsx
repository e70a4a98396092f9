import { Children, Component, Fragment, isValidElement, type ReactNode } from 'react';

interface PageNodesProps {
  readonly children: ReactNode;
}

/**
 * The page's own nodes inside a component, such as its `children`. An element surrounds them, because a browser that
 * translates the page replaces text nodes, and React fails when it inserts a node before a text that is gone, or
 * removes that text. The stylesheet keeps the element from generating a box.
 */
export const PageNodes = ({ children }: PageNodesProps) =>
  isEmpty(children) ? null : <div className="ramp-page-nodes">{toPageContent(children)}</div>;

/** Prepares the page's own nodes as the only content of an element. */
export function toPageContent(nodes: ReactNode): ReactNode {
  const content = separateTexts(nodes);
  return isEmpty(content) || isText(content) ? content : <PageBoundary>{content}</PageBoundary>;
}

/**
 * Returns nodes in which no text has a sibling: `Buy {amount}` becomes one text, and a text beside an icon gets its own
 * element. Otherwise, in a page that the browser has translated, React could not change such a text, and would fail to
 * insert the icon before it.
 */
function separateTexts(nodes: ReactNode): ReactNode {
  if (isValidElement<PageNodesProps>(nodes) && nodes.type === Fragment)
    return separateTexts(nodes.props.children);
  if (!Array.isArray(nodes)) return nodes;
  const shown = nodes.filter((node) => !isEmpty(node));
  if (shown.every(isText)) return shown.join('');
  return Children.map(nodes, (node: ReactNode) => {
    const content = separateTexts(node);
    return isText(content) ? <span>{content}</span> : content;
  });
}

const isText = (node: unknown) => typeof node === 'string' || typeof node === 'number';
const isEmpty = (node: unknown) => node == null || typeof node === 'boolean';

const pageErrors = new WeakSet<object>();

/** Returns whether the page's own code threw the error, so that the page has to handle it. */
export const isPageError = (error: unknown): boolean => pageErrors.has(Object(error));

const markPageError = (error: unknown) => pageErrors.add(Object(error));

/** Calls one of the page's rendering functions, such as `render`. */
export function callPage<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    markPageError(error);
    throw error;
  }
}

/** Marks the errors of the page's own nodes, and passes them on to the page's boundary. */
class PageBoundary extends Component<PageNodesProps, { readonly caught?: { cause: unknown } }> {
  override state: { readonly caught?: { cause: unknown } } = {};

  static getDerivedStateFromError(cause: unknown) {
    markPageError(cause);
    return { caught: { cause } };
  }

  override render() {
    if (this.state.caught) throw this.state.caught.cause;
    return this.props.children;
  }
}
