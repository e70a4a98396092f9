import axe from 'axe-core';

/**
 * Runs axe on the page, or on one element of it. First finishes all animations that have an end, because contrast is
 * too low while an element is fading in.
 *
 * @returns The violated rules, each with the HTML of its elements.
 */
export async function findAxeViolations(element?: Element) {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  // A single element need not be inside a landmark, so disable this rule for it.
  const rules = element ? { region: { enabled: false } } : {};
  const { violations } = await axe.run(element ?? document.body, { rules });
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}
