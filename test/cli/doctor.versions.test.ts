import { describe, expect, it } from 'vitest';
import { checkVersions, isInRange } from '../../src/cli/doctor/versions.js';

describe('isInRange', () => {
  it.each([
    ['20.19.0', '>=20.19', true],
    ['24.0.0', '>=20.19', true],
    ['20.18.9', '>=20.19', false],
    ['18.2.0', '^18.0.0 || ^19.0.0', true],
    ['19.3.1-canary.1', '^18.0.0 || ^19.0.0', true],
    ['20.0.0', '^18.0.0 || ^19.0.0', false],
    ['0.28.18', '^0.28.0 || ^0.29.0', true],
    ['0.27.9', '^0.28.0 || ^0.29.0', false],
    ['0.30.0', '^0.28.0 || ^0.29.0', false],
    ['8.10.9', '^8.11.0', false],
  ])('of %s and %s is %j', (version, range, expected) => {
    expect(isInRange(version, range)).toBe(expected);
  });
});

describe('checkVersions', () => {
  const check = (installed: Readonly<Record<string, string>>) =>
    checkVersions('22.13.0', { findVersion: (name) => installed[name] });

  it('lists what is installed', () => {
    const [finding, ...others] = check({ kysely: '0.28.18', pg: '8.23.1' });
    expect(others).toEqual([]);
    expect(finding?.status).toBe('ok');
    expect(finding?.message).toMatch(/^Node\.js 22\.13\.0, .*, kysely 0\.28\.18, pg 8\.23\.1\.$/);
  });

  it('names a peer that this package does not support', () => {
    expect(check({ kysely: '0.27.0', pg: '8.23.1' })).toMatchObject([
      { status: 'problem', message: expect.stringContaining('kysely 0.27.0 is installed') },
    ]);
  });

  it('warns if the shop has another version of this package', () => {
    expect(check({ '@partner-ramp/react': '0.0.1' })).toMatchObject([{ status: 'warning' }]);
  });
});
