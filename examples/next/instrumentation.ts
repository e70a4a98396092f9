/** Next calls this when a server starts, but not during `next build`. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  try {
    const { getRamp } = await import('./lib/ramp');
    getRamp().tracker.start();
  } catch (error) {
    // If register() throws, Next responds 500 to every request of the whole shop.
    console.error('The ramp did not start:', error);
  }
}
