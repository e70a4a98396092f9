import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A reporter of Vitest that writes the numbers of passed and failed tests of each project to COUNTS_FILE. */
export default class CountReporter {
  onTestRunEnd(modules) {
    const counts = {};
    for (const module of modules) {
      // A project in a browser is named after both: `react18 (chromium)`.
      const [name] = module.project.name.split(' ');
      counts[name] ??= { passed: 0, failed: 0 };
      const states = [...module.children.allTests()].map((test) => test.result().state);
      // A pending test did not end, for example because its worker crashed.
      const failed = states.filter((state) => state === 'failed' || state === 'pending').length;
      counts[name].passed += states.filter((state) => state === 'passed').length;
      // A file that does not load, or whose hooks fail, has no failed test.
      counts[name].failed += failed || (module.ok() ? 0 : 1);
    }
    mkdirSync(dirname(process.env.COUNTS_FILE), { recursive: true });
    writeFileSync(process.env.COUNTS_FILE, JSON.stringify(counts));
  }
}
