const LIMIT_MS = 2000;

/**
 * Creates the check behind `GET /ready`: it returns true if `query` succeeds within two seconds.
 *
 * Probes share one query. While it has no result, no further one is sent, however often a load
 * balancer probes: a database that does not respond must not use up the connections of the pool.
 */
export function createReadinessCheck(query: () => Promise<void>): () => Promise<boolean> {
  let pending: Promise<boolean> | undefined;
  return async () => {
    pending ??= query()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        pending = undefined;
      });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, LIMIT_MS, false);
    });
    try {
      return await Promise.race([pending, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
