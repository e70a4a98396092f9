/** Next calls this when a server starts, but not during `next build`. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { getRamp } = await import('./lib/ramp');
  getRamp().tracker.start();
}
