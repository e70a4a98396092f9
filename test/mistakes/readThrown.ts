/** Returns the error that `start` throws, as a failing process would print it, but without the stack trace. */
export async function readThrown(start: () => unknown): Promise<string> {
  try {
    await start();
  } catch (error) {
    const { name, message } = error as Error;
    return `${name}: ${message}`;
  }
  throw new Error('The start did not throw.');
}
