import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runNode } from '../../support/packaging/runNode.js';
import { root } from '../../support/root.js';

const here = fileURLToPath(new URL('.', import.meta.url));

interface Runner {
  /** Returns the arguments with which Node runs all tests and writes a JSON report to the file `report`. */
  readonly run: (report: string) => string[];
  /** The source of the module from which the tests import `expect` and `test`. */
  readonly globals: string;
  /** The lines with which a test of a page begins. */
  readonly pageLines: string;
  /** The line with which a test of a backend begins. Absent if the guide's tests of a backend do not run here. */
  readonly backendLine?: string;
  /** The module from which the guide's tests import `expect` and `test`. */
  readonly module: string;
  /** The environment of the shop's tests. */
  readonly environment: string;
}

// Vitest finds the comments `@vitest-…` and `@jest-…` even inside strings, and would run this file in the environment
// that they name. So no string below has such a comment in full.
const jest: Runner = {
  run: (report) => ['node_modules/jest/bin/jest.js', '--json', `--outputFile=${report}`],
  globals: "export { expect, test } from '@jest/globals';\n",
  pageLines: `/** @jest-${'environment'} jsdom */\n`,
  backendLine: `/** @jest-${'environment'} node */\n`,
  module: '@jest/globals',
  // Tests that replace the global `fetch` need the one of Node, and its `Response`.
  environment: 'jest-fixed-jsdom',
};

const createVitest = (environment: string, lines: Pick<Runner, 'pageLines' | 'backendLine'>) => ({
  run: (report: string) => [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=json',
    `--outputFile=${report}`,
  ],
  globals: "export { expect, test } from 'vitest';\n",
  ...lines,
  module: 'vitest',
  environment,
});

const jsdom: Runner = createVitest('jsdom', {
  pageLines: `// @vitest-${'environment'} jsdom\n`,
  backendLine: '',
});

// A test of a backend needs no environment, so it runs once in Vitest.
const happyDom: Runner = createVitest('happy-dom', {
  pageLines: `// @vitest-${'environment'} happy-dom
// @vitest-${'environment'}-options { "settings": { "disableIframePageLoading": true } }
`,
});

const runners: Readonly<Record<string, Runner>> = {
  'Jest 30': jest,
  'Vitest with jsdom': jsdom,
  'Vitest with happy-dom': happyDom,
};

const readTestingPage = () => readFile(join(root, 'docs/testing.md'), 'utf8');

/**
 * Returns the tests of docs/testing.md, which are for Vitest with jsdom, with the lines that differ in a runner. Leaves
 * out the one with a database, whose driver is not installed here: guideOutcomes.test.ts runs it.
 */
async function readGuide({ pageLines, backendLine, module }: Runner): Promise<string[]> {
  const blocks = [...(await readTestingPage()).matchAll(/^```tsx?\n([\s\S]*?)^```/gm)];
  return blocks
    .map(([, code = '']) => code)
    .filter((code) => code.includes("from 'vitest'") && !code.includes('@photostructure/sqlite'))
    .flatMap((code) => {
      const isPage = code.startsWith(jsdom.pageLines);
      const first = isPage ? pageLines : backendLine;
      const rest = isPage ? code.slice(jsdom.pageLines.length) : code;
      return first === undefined ? [] : `${first}${rest.replace("'vitest'", `'${module}'`)}`;
    });
}

/** Returns the comment lines with which a test of the shop begins. */
const findFirstLines = ({ environment, pageLines }: Runner): string =>
  environment === 'jest-fixed-jsdom' ? `/** @jest-${'environment'} ${environment} */\n` : pageLines;

interface Report {
  /** The titles of the tests that passed. */
  readonly passed: string[];
  /** The titles of the tests that failed, each with its error messages. */
  readonly failed: string[];
  /** The hosts of the connections that `refuseNetwork.cjs` refused. */
  readonly hosts: string[];
}

/** Runs test files in a temporary project that has no configuration files for the runner. */
async function runTests(
  { run, globals }: Runner,
  files: Readonly<Record<string, string>>,
  install: (from: string, to: string) => Promise<void> = (from, to) =>
    symlink(from, to, 'junction'),
): Promise<Report> {
  const project = await mkdtemp(join(tmpdir(), 'ramp-runner-'));
  try {
    await cp(join(here, 'package.json'), join(project, 'package.json'));
    const modules = join(here, 'node_modules');
    await install(modules, join(project, 'node_modules'));
    await mkdir(join(project, 'test'));
    for (const [name, code] of Object.entries({ 'runner.ts': globals, ...files }))
      await writeFile(join(project, 'test', name), code);
    const [report, hosts] = [join(project, 'report.json'), join(project, 'hosts.txt')];
    const env = {
      ...process.env,
      NODE_ENV: 'test' as const,
      NODE_OPTIONS: `--require ${JSON.stringify(join(here, 'refuseNetwork.cjs'))}`,
      REFUSED_HOSTS: hosts,
    };
    await writeFile(hosts, '');
    const printed = await runNode(run(report), { cwd: project, env }).catch(
      ({ message }: Error) => message,
    );
    const text = await readFile(report, 'utf8').catch(() => {
      throw new Error(`The runner wrote no report:\n${printed}`);
    });
    return {
      ...parseReport(text),
      hosts: (await readFile(hosts, 'utf8')).split('\n').slice(0, -1),
    };
  } finally {
    await rm(project, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Installs all packages except react-query. Links them, but copies @partner-ramp/react: Node resolves the imports of a
 * linked package from the link's target, where react-query is installed.
 */
async function installWithoutReactQuery(from: string, to: string): Promise<void> {
  const own = '@partner-ramp';
  await mkdir(to);
  for (const name of await readdir(from))
    if (name === own) await cp(join(from, own), join(to, own), { recursive: true });
    else if (name !== '@tanstack') await symlink(join(from, name), join(to, name));
}

/** Parses the report of a runner. Jest and Vitest write reports in the same format. */
function parseReport(text: string): Pick<Report, 'passed' | 'failed'> {
  const { testResults } = JSON.parse(text) as {
    testResults: {
      name: string;
      status: string;
      message: string;
      assertionResults: { status: string; title: string; failureMessages: string[] }[];
    }[];
  };
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  // A file that fails to load has no test results, so the file itself counts as a failed test.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return {
    passed: all.filter(({ status }) => status === 'passed').map(({ title }) => title),
    failed: [
      ...all
        .filter(({ status }) => status !== 'passed')
        .map(({ title, failureMessages }) => `${title}\n${failureMessages.join('\n')}`),
      ...broken.map(({ name, message }) => `${name}\n${message}`),
    ],
  };
}

const countLines = (code: string) => code.trimEnd().split('\n').length;

describe.each(Object.entries(runners))('%s', (name, runner) => {
  let guide: string[];
  let report: Report;

  beforeAll(async () => {
    guide = await readGuide(runner);
    const shop = await readFile(join(here, 'shopTests.tsx'), 'utf8');
    report = await runTests(runner, {
      'shop.test.tsx': `${findFirstLines(runner)}${shop}`,
      ...Object.fromEntries(guide.map((code, index) => [`guide${index}.test.tsx`, code])),
    });
  });

  it('runs the tests of the guide and of a shop, without stubs and configuration', () => {
    expect(report.failed).toEqual([]);
    expect(report.passed).toContain('a click opens the checkout');
    expect(report.passed).toContain('the status card shows a delivered order');
    // A block of the guide may have several tests.
    expect(report.passed.length).toBeGreaterThanOrEqual(guide.length + 8);
    expect(report.passed).toContain('the status card shows an order of a test backend');
  });

  it('opens no connection', () => {
    expect(report.hosts).toEqual([]);
  });

  it('is told which lines differ', async () => {
    const page = await readTestingPage();
    for (const lines of [runner.pageLines, runner.backendLine ?? '', runner.module])
      expect(page).toContain(lines.trim());
  });

  it("finds the guide's test of a click in at most 12 lines", () => {
    const [click = ''] = guide;
    expect(countLines(click)).toBeLessThanOrEqual(12);
    expect(click).toContain("findByRole('dialog')");
  });

  it.skipIf(name === 'Vitest with happy-dom')(
    "finds the guide's test of a paid order in at most 20 lines",
    () => {
      const paid = guide.find((code) => code.includes('loseNextWebhook')) ?? '';
      expect(countLines(paid)).toBeGreaterThan(10);
      expect(countLines(paid)).toBeLessThanOrEqual(20);
    },
  );
});

it('happy-dom 20 loads the frame without the line that the guide adds', async () => {
  const runner = runners['Vitest with happy-dom'] as Runner;
  const [code = ''] = await readGuide(runner);
  const { passed, hosts } = await runTests(runner, {
    'guide.test.tsx': code.replace(/^.+-options .+\n/m, ''),
  });
  expect(passed).toEqual(['a click opens the checkout']);
  expect(hosts).toEqual(['pay.example']);
});

it('Jest 30 names what jsdom lacks, and where the server runs', async () => {
  const firstLines = jest.pageLines;
  const { failed } = await runTests(jest, {
    'fetch.test.tsx': `${firstLines}
import { OnRampButton } from '@partner-ramp/react';
import { fireEvent, render, screen } from '@testing-library/react';
test('without fetch', async () => {
  const errors = [];
  render(<OnRampButton widgetUrl="https://pay.example" api="/api" onError={(e) => errors.push(e)} />);
  fireEvent.click(screen.getByRole('button'));
  await screen.findByRole('alert');
  throw errors[0];
});
`,
    'server.test.ts': `${firstLines}
import '@partner-ramp/react/server';
test('in jsdom', () => {});
`,
  });
  expect(failed.join('\n')).toContain('fetch is undefined in this environment.');
  expect(failed.join('\n')).toContain('A Jest test of a backend begins with');
  expect(failed).toHaveLength(2);
});

it.each(['Jest 30', 'Vitest with jsdom'])(
  '%s runs a button without react-query, and a price names the missing package',
  async (name) => {
    const runner = runners[name] as Runner;
    const guide = await readGuide(runner);
    const files = {
      'button.test.tsx': guide[0] ?? '',
      'price.test.tsx': `${findFirstLines(runner)}
import { QuotePreview } from '@partner-ramp/react';
import { render, screen } from '@testing-library/react';
import { expect, test } from './runner';
test('a price', async () => {
  render(<QuotePreview api="/api">{({ error }) => <p>{error?.message}</p>}</QuotePreview>);
  expect(await screen.findByText(/npm install @tanstack.react-query@5/)).toBeTruthy();
});
`,
    };
    const { passed, failed } = await runTests(runner, files, installWithoutReactQuery);
    expect(failed).toEqual([]);
    expect(passed.sort()).toEqual(['a click opens the checkout', 'a price']);
  },
);
