import axe from 'axe-core';

/**
 * Finishes all animations and runs axe on the page, or on one element of it. Contrast is too low while an
 * element is fading in.
 *
 * @returns The violated rules, each with the HTML of its elements.
 */
export async function findAxeViolations(element?: Element) {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  // Only a complete page needs landmarks.
  const rules = element ? { region: { enabled: false } } : {};
  const { violations } = await axe.run(element ?? document.body, { rules });
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}
