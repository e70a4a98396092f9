import { useEffect, useState } from 'react';

/** Returns whether the value has been unchanged for `ms` milliseconds. The initial value is settled immediately. */
export function useSettled(value: string | undefined, ms: number): boolean {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return value === settled;
}
