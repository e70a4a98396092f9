/** The largest share of a file's mutants that equivalent.json may declare equivalent. */
const MAX_EQUIVALENT = 0.03;
const detected = new Set(['Killed', 'Timeout']);
const undetected = new Set(['Survived', 'NoCoverage']);

/** Returns the code that a mutant replaces. */
function originalOf(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}

/**
 * Counts the mutants of one file. The score excludes the mutants that equivalent.json declares equivalent. Each entry
 * of equivalent.json must match one mutant that no test detected, so a stale entry is reported as a problem.
 */
export function scoreFile(file, { source, mutants }, { name, threshold = 0 }, equivalents) {
  const open = equivalents.filter((entry) => entry.file === file);
  const declared = open.length;
  const problems = [];
  const survivors = [];
  const ofStatus = (statuses) => mutants.filter(({ status }) => statuses.has(status));
  let found = ofStatus(detected).length;
  // An equivalent mutant runs all tests that cover it, so it may reach the time limit instead of surviving.
  for (const mutant of [...ofStatus(undetected), ...ofStatus(new Set(['Timeout']))]) {
    const original = originalOf(source, mutant.location);
    const replacement = mutant.replacement ?? '';
    const at = open.findIndex(
      (entry) => entry.original === original && entry.replacement === replacement,
    );
    if (at >= 0) {
      open.splice(at, 1);
      if (mutant.status === 'Timeout') found--;
    } else if (undetected.has(mutant.status))
      survivors.push({ line: mutant.location.start.line, original, replacement, mutant });
  }
  const count = (status) => mutants.filter((mutant) => mutant.status === status).length;
  const total = found + survivors.length;
  const score = total === 0 ? 100 : (100 * found) / total;
  for (const { original } of open)
    problems.push(`${file}: equivalent.json declares a mutant that did not survive: ${original}`);
  if (declared > MAX_EQUIVALENT * mutants.length)
    problems.push(`${file}: ${declared} of ${mutants.length} mutants are declared equivalent.`);
  if (score < threshold)
    problems.push(
      `${file}: ${score.toFixed(1)} % of the mutants were detected, not ${threshold} %.`,
    );
  return {
    group: name,
    file,
    total,
    killed: count('Killed'),
    timeout: found - count('Killed'),
    survived: survivors.filter(({ mutant }) => mutant.status === 'Survived').length,
    noCoverage: survivors.filter(({ mutant }) => mutant.status === 'NoCoverage').length,
    equivalent: declared - open.length,
    score,
    survivors,
    problems,
  };
}

/** Formats a line for each surviving mutant, and the scores as a Markdown table. */
export function formatScores(scores) {
  const lines = scores.flatMap(({ file, survivors }) =>
    survivors.map(
      ({ line, original, replacement, mutant }) =>
        `${mutant.status} ${file}:${line} ${oneLine(original)} -> ${oneLine(replacement)}`,
    ),
  );
  const columns = ['killed', 'timeout', 'survived', 'noCoverage', 'equivalent'];
  const table = [
    '| file | group | killed | timeout | survived | no coverage | equivalent | score |',
    '|---|---|---|---|---|---|---|---|',
    ...scores.map(
      (row) =>
        `| \`${row.file}\` | ${row.group} | ${columns.map((name) => row[name]).join(' | ')} | ${row.score.toFixed(1)} % |`,
    ),
  ];
  const problems = scores.flatMap((row) => row.problems);
  return { text: [...lines, '', ...table].join('\n'), problems };
}

const oneLine = (code) => JSON.stringify(code.replace(/\s+/g, ' ').slice(0, 120));
