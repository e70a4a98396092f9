import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A Vitest reporter that writes the JSON file `COUNTS_FILE`: how many tests passed and failed in each project, and a
 * remark for each failed test, each test that passed only on a retry, and each error outside any test.
 */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = {};
    const remarks = unhandledErrors.map(({ stack, message, VITEST_TEST_PATH, VITEST_TEST_NAME }) =>
      ['Error outside any test', VITEST_TEST_PATH, VITEST_TEST_NAME, stack ?? message]
        .filter(Boolean)
        .join('\n  '),
    );
    for (const module of modules) {
      // Vitest appends the browser to the name of a browser project, as in `react18 (chromium)`. Remove the suffix.
      const [name] = module.project.name.split(' ');
      counts[name] ??= { passed: 0, failed: 0 };
      const remark = (text, errors = []) =>
        remarks.push([`${text}: ${name}, ${module.relativeModuleId}`, ...errors].join('\n  '));
      const messages = ({ errors }) => (errors ?? []).map(({ message }) => message.split('\n')[0]);

      let failed = 0;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') {
          counts[name].passed += 1;
          const { flaky } = test.diagnostic() ?? {};
          if (flaky) remark('Passed when tried again', [test.fullName, ...messages(result)]);
        } else if (result.state === 'failed' || result.state === 'pending') {
          // A pending test counts as failed: it did not end, for example because its worker crashed.
          failed += 1;
          remark('Failed', [test.fullName, ...messages(result)]);
        }
      }
      // A file that does not load, or whose hooks fail, may report no failed test. Count the file as one failure.
      if (failed === 0 && !module.ok()) {
        failed = 1;
        remark('Failed', messages({ errors: module.errors() }));
      }
      counts[name].failed += failed;
    }
    mkdirSync(dirname(process.env.COUNTS_FILE), { recursive: true });
    writeFileSync(process.env.COUNTS_FILE, JSON.stringify({ counts, remarks }));
  }
}
