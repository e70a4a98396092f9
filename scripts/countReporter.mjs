import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A Vitest reporter that writes how many tests of each project passed and failed to the file COUNTS_FILE. */
export default class CountReporter {
  onTestRunEnd(modules) {
    const counts = {};
    for (const module of modules) {
      // Vitest adds the browser to the name of a project that runs in one, as in `react18 (chromium)`. Remove it.
      const [name] = module.project.name.split(' ');
      counts[name] ??= { passed: 0, failed: 0 };
      const states = [...module.children.allTests()].map((test) => test.result().state);
      // A pending test counts as failed: it did not end, for example because its worker crashed.
      const failed = states.filter((state) => state === 'failed' || state === 'pending').length;
      counts[name].passed += states.filter((state) => state === 'passed').length;
      // If a file does not load or its hooks fail, it has no failed test. Count it as one failure.
      counts[name].failed += failed || (module.ok() ? 0 : 1);
    }
    mkdirSync(dirname(process.env.COUNTS_FILE), { recursive: true });
    writeFileSync(process.env.COUNTS_FILE, JSON.stringify(counts));
  }
}
