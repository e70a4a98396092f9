/**
 * Applies the colour scheme of the story, which the toolbar sets, to the widget in its frame. The styles of the
 * widget follow the system, as those of a hosted page do.
 */
export function followScheme(): void {
  const story = window.frameElement?.ownerDocument.documentElement;
  if (!story) return;
  const { colorScheme } = getComputedStyle(story);
  document.documentElement.style.colorScheme = colorScheme;
  for (const { cssRules } of document.styleSheets)
    for (const rule of cssRules)
      if (rule instanceof CSSMediaRule && rule.conditionText.includes('prefers-color-scheme'))
        rule.media.mediaText = colorScheme === 'dark' ? 'all' : 'not all';
}
