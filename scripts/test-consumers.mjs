// npm run test:consumers: the packed package in other people's bundlers, compilers and servers, the whole matrix.
import { consumerSteps, install, runChecks, script, sharedSteps } from './checks.mjs';
import { ensureInstalled } from './install.mjs';

const workerd = {
  name: 'consumer-workerd',
  run: () => install('consumers/workerd'),
  isCheck: false,
};

ensureInstalled();
runChecks({
  steps: [...sharedSteps, ...consumerSteps, workerd, { name: 'build', run: () => script('build') }],
  projects: [
    {
      name: 'consumers',
      needs: ['build', ...consumerSteps.map(({ name }) => name)],
      env: { CONSUMERS: 'all' },
    },
    {
      name: 'examples',
      needs: ['build', 'chromium', 'next-shop', 'consumer-examples', workerd.name],
      env: { CONSUMERS: 'all' },
    },
  ],
});
