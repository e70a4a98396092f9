import type { OrderRequest } from '../../checkout/checkPurchase.js';
import type { OnRampPageData } from '../../checkout/pageData.js';
import type { PurchaseDraft } from './usePurchase.js';

/** Creates the request of an order, once the input is complete. A wallet that the shop locked or hid is not sent. */
export function createOrderRequest(
  { request, email, wallet }: PurchaseDraft,
  session: OnRampPageData,
): OrderRequest | undefined {
  const { fiatCurrency, currencyAmount, cryptoCurrencyCode } = request;
  if (!fiatCurrency || !currencyAmount || !cryptoCurrencyCode) return undefined;
  const enforced = session.wallet.locked || session.wallet.hidden;
  return {
    fiatCurrency,
    currencyAmount,
    cryptoCurrencyCode,
    email: email.trim(),
    ...(!enforced && { walletAddress: wallet.trim() }),
  };
}
