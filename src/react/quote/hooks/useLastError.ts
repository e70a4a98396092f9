import { useEffect, useState } from 'react';
import type { RampError } from '../../../protocol/errors/RampError.js';

interface Result {
  readonly error: RampError | null;
  readonly isFetching: boolean;
}

/**
 * The error of the question under `key`, also while it is asked again: a state that went away for
 * the time of each request would take its button, and the focus, with it.
 */
export function useLastError(key: string, { error, isFetching }: Result): RampError | undefined {
  const [last, setLast] = useState<{ key: string; error: RampError | null }>();
  useEffect(() => {
    if (!isFetching) setLast({ key, error });
  }, [key, error, isFetching]);
  return error ?? (isFetching && last?.key === key ? (last.error ?? undefined) : undefined);
}
