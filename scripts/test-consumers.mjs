// npm run test:consumers: the packed package in other people's bundlers and compilers, the whole matrix.
import { consumerSteps, runChecks, script } from './checks.mjs';
import { ensureInstalled } from './install.mjs';

ensureInstalled();
runChecks({
  steps: [...consumerSteps, { name: 'build', run: () => script('build') }],
  projects: [
    {
      name: 'consumers',
      needs: ['build', ...consumerSteps.map(({ name }) => name)],
      env: { CONSUMERS: 'all' },
    },
  ],
});
