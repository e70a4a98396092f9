import { useEffect, useState } from 'react';

/** Whether the value has stayed the same for so long. What is there at first is taken at once. */
export function useSettled(value: string | undefined, ms: number): boolean {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return value === settled;
}
