import { useRef, useState } from 'react';
import type { OrderProgress } from '../order-progress.js';
import type { SessionData } from '../session-data.js';
import type { CheckoutService } from './CheckoutService.js';
import { type Problem, problemOf } from './problem.js';
import type { Purchase } from './usePurchase.js';

/** Places the order, once however often it is asked to. The wallet that the shop set is not sent. */
export function usePay(
  service: CheckoutService,
  { request, email, wallet }: Purchase,
  session: SessionData,
  onPlaced: (order: OrderProgress) => void,
) {
  const busy = useRef(false);
  const [paying, setPaying] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const enforced = session.wallet.locked || session.wallet.hidden;

  const pay = async () => {
    const { fiatCurrency, currencyAmount, cryptoCurrencyCode } = request;
    if (busy.current || !fiatCurrency || !currencyAmount || !cryptoCurrencyCode) return;
    busy.current = true;
    setPaying(true);
    setProblem(undefined);
    try {
      const order = await service.order({
        fiatCurrency,
        currencyAmount,
        cryptoCurrencyCode,
        email: email.trim(),
        ...(!enforced && { walletAddress: wallet.trim() }),
      });
      onPlaced(order);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      busy.current = false;
      setPaying(false);
    }
  };
  return { pay, paying, problem };
}
