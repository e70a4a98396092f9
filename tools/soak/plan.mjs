/** The defaults: minutes of the run, requests per second, open pages, and IP addresses of visitors. */
const defaults = { minutes: 10, rate: 200, pages: 500, addresses: 1000 };
const lowest = { minutes: 3, rate: 1, pages: 0, addresses: 1 };

/**
 * Parses `--minutes 10 --rate 200 --pages 500 --addresses 1000`.
 *
 * @throws Error that names the invalid argument.
 */
export function parseArguments(argv) {
  const options = { ...defaults };
  for (let i = 0; i < argv.length; i += 2) {
    const name = argv[i].replace(/^--/, '');
    const value = Number(argv[i + 1]);
    if (!Object.hasOwn(defaults, name)) throw new Error(`${argv[i]} is not an argument.`);
    if (!Number.isInteger(value) || value < lowest[name])
      throw new Error(`--${name} must be a whole number, ${lowest[name]} or more.`);
    options[name] = value;
  }
  if (options.pages > options.addresses)
    throw new Error('--pages must not exceed --addresses: each visitor opens one page.');
  return options;
}

/**
 * Plans the minutes of a run. The first minute is the baseline, so it has no faults. Every third minute is a fault
 * minute, and the shop is stopped within the middle fault minute. The last minute is never a fault minute.
 *
 * @returns One entry for each minute, from `minute` 1.
 */
export function planMinutes(minutes) {
  const middle = Math.floor(minutes / 2) + 1;
  return Array.from({ length: minutes }, (_, index) => {
    const minute = index + 1;
    const isWithin = minute > 1 && minute < minutes;
    return {
      minute,
      isFault: isWithin && (minute - middle) % 3 === 0,
      isStop: minute === middle,
    };
  });
}
