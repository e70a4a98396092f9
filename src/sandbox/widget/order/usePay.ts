import { useRef, useState } from 'react';
import type { OrderProgress } from '../../orders.js';
import { type Problem, toProblem } from '../client/toProblem.js';

/** Places the order. Repeated calls place it only once. */
export function usePay(
  order: () => Promise<OrderProgress> | undefined,
  onPlaced: (order: OrderProgress) => void,
) {
  const busy = useRef(false);
  const [paying, setPaying] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  const pay = async () => {
    const placed = busy.current ? undefined : order();
    if (!placed) return;
    busy.current = true;
    setPaying(true);
    setProblem(undefined);
    try {
      onPlaced(await placed);
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      busy.current = false;
      setPaying(false);
    }
  };
  return { pay, paying, problem };
}
