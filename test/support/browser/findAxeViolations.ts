import axe from 'axe-core';

/** What axe finds on the page once nothing moves any more: each rule with its elements. */
export async function findAxeViolations() {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  const { violations } = await axe.run(document.body);
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}
