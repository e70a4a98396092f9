/**
 * Applies the story's colour scheme, which the toolbar sets, to the widget in the story's frame. The widget's own
 * styles follow only the scheme of the system, like those of a hosted page.
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
