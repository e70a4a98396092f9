/** Next calls this when a server starts, but not during `next build`. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  try {
    const { getRamp } = await import('./lib/ramp');
    getRamp().start();
  } catch (error) {
    // Do not throw: Next would respond with 500 to every request, even to those that are not for the ramp.
    console.error('The ramp did not start:', error);
  }
}
