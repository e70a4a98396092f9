/** So many rows at once stay below what a statement may have of parameters: 32,766 in SQLite. */
const CHUNK = 500;

/** Does something with every part of a list, one after the other. Answers all of what it answered. */
export async function inChunks<Row, Result>(
  rows: readonly Row[],
  work: (chunk: readonly Row[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < rows.length; start += CHUNK)
    results.push(...(await work(rows.slice(start, start + CHUNK))));
  return results;
}
