// Loaded into a development server before its code: prints how many trackers of an example run, whenever one starts or
// stops.
let running = 0;
let current;

const print = () => process.stdout.write(`running trackers: ${running}\n`);

Object.defineProperty(globalThis, 'rampTracker', {
  get: () => current,
  set(tracker) {
    const { start, stop } = tracker;
    tracker.start = () => {
      running++;
      print();
      return start();
    };
    tracker.stop = () => {
      running--;
      print();
      return stop();
    };
    current = tracker;
  },
});
