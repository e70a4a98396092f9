import { describe, expect, it } from 'vitest';
import { formatChangelog } from '../../scripts/formatChangelog.mjs';

const introduction = 'The format is that of Keep a Changelog.';
const older = '## 0.1.0 - 2026-12-01\n\n### Added\n\n- The first version.\n';

/** As `changeset version` leaves it: the new section is directly below the title. */
const written = (section: string) => `# Changelog\n\n${section}\n${introduction}\n\n${older}`;

describe('formatChangelog', () => {
  it('writes the categories that the entries name, in the order of Keep a Changelog', () => {
    const section = [
      '## 0.2.0\n',
      '### Minor Changes\n',
      '- 1a2b3c4: Removed: `useOld`.',
      '- 2b3c4d5: Added: `useNew`.\n  ',
      '  It replaces `useOld`.\n',
      '### Patch Changes\n',
      '- 3c4d5e6: Security: signatures are compared in constant time.',
    ];
    const expected = [
      '# Changelog\n',
      `${introduction}\n`,
      '## 0.2.0 - 2027-01-31\n',
      '### Added\n',
      '- `useNew`.\n',
      '  It replaces `useOld`.\n',
      '### Removed\n',
      '- `useOld`.\n',
      '### Security\n',
      '- signatures are compared in constant time.\n',
      older,
    ];
    expect(formatChangelog(written(section.join('\n')), '2027-01-31')).toBe(expected.join('\n'));
  });

  it.each([
    ['Major', 'Changed'],
    ['Minor', 'Added'],
    ['Patch', 'Fixed'],
  ])('writes an entry without a category under %s Changes as %s', (type, category) => {
    const section = `## 0.2.0-next.0\n\n### ${type} Changes\n\n- Note: a text.\n`;
    expect(formatChangelog(written(section), '2027-01-31')).toContain(
      `## 0.2.0-next.0 - 2027-01-31\n\n### ${category}\n\n- Note: a text.\n\n## 0.1.0`,
    );
  });

  it('returns a changelog without a new section unchanged', () => {
    const changelog = `# Changelog\n\n${introduction}\n\n${older}`;
    expect(formatChangelog(changelog, '2027-01-31')).toBe(changelog);
  });
});
