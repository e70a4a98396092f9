/**
 * Returns the known name that a misspelt name probably means, ignoring case. The edit distance may be at most 2 for a
 * name of six or more letters, 1 for three to five letters, and 0 for a shorter name.
 */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  const found = known
    .map((candidate) => ({ candidate, distance: calculateEditDistance(name, candidate) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return found && found.distance <= Math.min(2, name.length / 3) ? found.candidate : undefined;
}

/** Returns the Levenshtein distance of two texts, ignoring case. */
function calculateEditDistance(a: string, b: string): number {
  const [from, to] = [a.toLowerCase(), b.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
