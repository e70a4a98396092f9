/** The number of values that a cache keeps. A page needs few, but a server may format in many languages. */
const MAX_VALUES = 200;

/**
 * Returns a function that creates the value of each key once. Formatters of `Intl` take up to a millisecond to create
 * on a phone, and a card formats dozens of amounts with each typed digit.
 */
export function createCache<Value>(create: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    if (values.size >= MAX_VALUES) values.clear();
    const value = create(key);
    values.set(key, value);
    return value;
  };
}
