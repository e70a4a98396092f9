/** A page that a browser translates. */
export interface TranslatedPage {
  /**
   * Describes each text that is still the translation of an earlier one: React has changed the text node, but the page
   * does not show this node any more.
   */
  findStaleTexts(): readonly string[];
  /** Ends the translation. The translated texts stay. */
  stop(): void;
}

interface Translated {
  /** The text node that the translation has taken out of the page. React keeps a reference to it. */
  readonly node: Text;
  readonly original: string;
  readonly replacement: Element;
}

/** The elements with a translated text, which is not translated again. */
const replacements = new WeakSet<Node>();

/**
 * Translates the page as Chrome, Edge and Firefox do: each text node is replaced by `<font><font>…</font></font>`, also
 * those that are added or changed later. Texts of white space are replaced too, which only some translations do.
 *
 * @param translate - By default, the translation of a text is the text itself, so that tests can look for it.
 */
export function translatePage(translate = (text: string) => text): TranslatedPage {
  const translated: Translated[] = [];

  const replace = (node: Text) => {
    const { parentElement } = node;
    if (!parentElement || node.data === '' || parentElement.closest('script, style, textarea'))
      return;
    if (replacements.has(parentElement)) return;
    const replacement = document.createElement('font');
    const inner = replacement.appendChild(document.createElement('font'));
    replacements.add(inner);
    inner.textContent = translate(node.data);
    translated.push({ node, original: node.data, replacement });
    node.replaceWith(replacement);
  };
  const replaceAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    found.forEach(replace);
  };

  const observer = new MutationObserver((mutations) => {
    for (const { type, target, addedNodes } of mutations)
      for (const node of type === 'characterData' ? [target] : addedNodes) {
        if (!node.isConnected) continue;
        if (node instanceof Text) replace(node);
        else replaceAll(node);
      }
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  replaceAll(document.body);
  return {
    findStaleTexts: () =>
      translated.flatMap(({ node, original, replacement }) =>
        replacement.isConnected && node.data !== original
          ? [`The page shows "${original}" instead of "${node.data}".`]
          : [],
      ),
    stop: () => observer.disconnect(),
  };
}
