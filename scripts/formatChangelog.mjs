const categories = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/** The category of an entry that names none, by the heading of Changesets. */
const defaults = { Major: 'Changed', Minor: 'Added', Patch: 'Fixed' };

/**
 * Rewrites the section that `changeset version` has added below the title into the headings of Keep a
 * Changelog. An entry may begin with its category, such as "Removed: …". A changelog without such a section is
 * returned unchanged.
 */
export function formatChangelog(changelog, date) {
  const [title, ...lines] = changelog.split('\n');
  const start = lines.findIndex((line) => line !== '');
  const version = /^## (\d+\.\d+\.\d\S*)$/.exec(lines[start] ?? '')?.[1];
  if (!version) return changelog;
  const { groups, rest } = readSection(lines.slice(start + 1));
  const sections = categories
    .filter((name) => groups.has(name))
    .map((name) => `### ${name}\n\n${groups.get(name).join('\n')}\n`);
  const section = [`## ${version} - ${date}\n`, ...sections].join('\n');
  // Changesets writes above the introduction.
  const releases = rest.search(/^## /m);
  const introduction = releases < 0 ? rest : rest.slice(0, releases);
  const older = releases < 0 ? '' : rest.slice(releases);
  return [title, '', `${introduction}${section}`, older].join('\n').trimEnd().concat('\n');
}

/** Reads the entries by category, up to the first line after the section. */
function readSection(lines) {
  const groups = new Map();
  let fallback = defaults.Patch;
  let current;
  let index = 0;
  for (; index < lines.length; index++) {
    const line = lines[index].trimEnd();
    const type = /^### (Major|Minor|Patch) Changes$/.exec(line)?.[1];
    const entry = /^- (?:[0-9a-f]{7,}: )?(?:(\w+): )?(.*)$/.exec(line);
    if (type) fallback = defaults[type];
    else if (entry) {
      const isNamed = categories.includes(entry[1]);
      const category = isNamed ? entry[1] : fallback;
      const text = isNamed || !entry[1] ? entry[2] : `${entry[1]}: ${entry[2]}`;
      current = groups.get(category) ?? groups.set(category, []).get(category);
      current.push(`- ${text}`);
    } else if (/^ {2}/.test(line)) current?.push(...(lines[index - 1].trim() ? [] : ['']), line);
    else if (line !== '') break;
  }
  return { groups, rest: lines.slice(index).join('\n') };
}
