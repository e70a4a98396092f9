// Loaded into a development server before its code: prints how many trackers of an example run, whenever one starts or
// stops.
let running = 0;
let current;

const print = () => process.stdout.write(`running trackers: ${running}\n`);

Object.defineProperty(globalThis, 'ramp', {
  get: () => current,
  set(ramp) {
    const { start, stop } = ramp;
    ramp.start = () => {
      running++;
      print();
      return start();
    };
    ramp.stop = () => {
      running--;
      print();
      return stop();
    };
    current = ramp;
  },
});
