export default {
  testDir: '.',
  retries: 0,
  workers: 1,
  use: { launchOptions: JSON.parse(process.env.LAUNCH_OPTIONS ?? '{}') },
};
