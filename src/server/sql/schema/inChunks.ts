/** The number of rows per statement. Their parameters stay below the limit of SQLite: 32,766. */
const CHUNK = 500;

/** Runs work with each chunk of a list, one after the other, and returns all results. */
export async function inChunks<Row, Result>(
  rows: readonly Row[],
  work: (chunk: readonly Row[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < rows.length; start += CHUNK)
    results.push(...(await work(rows.slice(start, start + CHUNK))));
  return results;
}
