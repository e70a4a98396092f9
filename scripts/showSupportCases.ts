import { once } from 'node:events';
import { startSupportCases } from '../test/support/demo/supportCases.js';

/**
 * Starts the example shop with five shoppers who paid and got nothing, prints what each of them writes, and runs until
 * Ctrl-C. Run `npm run build` and `npm run build:example` first.
 */
export async function showSupportCases(): Promise<void> {
  const { demo, cases } = await startSupportCases();
  const lines = [
    `The operator page:  ${demo.shopUrl}operator  (password: ${demo.operatorPassword})`,
    '',
    'Five shoppers write to you. Find out for each what happened, and what you answer:',
    ...cases.map(({ words }, i) => `  ${i + 1}. ${words}`),
    '',
    'Press Ctrl-C to stop.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await demo.close();
}
