import { useEffect, useState } from 'react';
import type { RampError } from '../../../protocol/errors/RampError.js';

interface Result {
  readonly error: RampError | null;
  readonly isFetching: boolean;
}

/**
 * Returns the error of the query `key`, also while the query is retried: if the error disappeared during each
 * request, its retry button would be removed and lose the focus.
 */
export function useLastError(key: string, { error, isFetching }: Result): RampError | undefined {
  const [last, setLast] = useState<{ key: string; error: RampError | null }>();
  useEffect(() => {
    if (!isFetching) setLast({ key, error });
  }, [key, error, isFetching]);
  return error ?? (isFetching && last?.key === key ? (last.error ?? undefined) : undefined);
}
