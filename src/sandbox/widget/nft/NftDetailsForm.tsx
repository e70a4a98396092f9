import { type FormEvent, useRef, useState } from 'react';
import { isEmail } from '../../catalog/purchaseRules.js';
import type { NftPageData } from '../../checkout/pageData.js';
import type { OrderProgress } from '../../orders.js';
import type { NftCheckoutClient } from '../checkoutClient.js';
import { EmailField, PayButton, TestCard } from '../fields.js';
import { useLocale } from '../locale.js';
import { Summary, usePay } from '../order.js';
import type { LiveQuote } from '../price.js';
import { BackButton, Title } from '../WidgetPage.js';
import { createNftTexts } from './nftTexts.js';
import { findLimitIssue, type NftPurchaseDraft } from './useNftPurchase.js';

interface NftDetailsFormProps {
  readonly session: NftPageData;
  readonly purchase: NftPurchaseDraft;
  readonly price: LiveQuote;
  readonly client: NftCheckoutClient;
  readonly onBack: () => void;
  readonly onPlaced: (order: OrderProgress) => void;
}

/**
 * Renders the second screen: e-mail address and card. The shopper enters no wallet, because the wallet that receives
 * the NFT is signed.
 */
export function NftDetailsForm(props: NftDetailsFormProps) {
  const { session, purchase, price, client, onBack, onPlaced } = props;
  const locale = useLocale();
  const { t, formats } = locale;
  const { fiat } = purchase;
  const [checked, setChecked] = useState(false);
  const email = useRef<HTMLInputElement>(null);
  const { pay, paying, problem } = usePay(
    () => fiat && client.order({ fiatCurrency: fiat.code, email: purchase.email.trim() }),
    onPlaced,
  );
  const emailWrong = !isEmail(purchase.email.trim());
  const fault = findLimitIssue(locale, fiat, price);
  const { got, chain } = createNftTexts(locale, session.nft);
  const { quote } = price;
  const paid = quote && fiat ? formats.money(quote.currencyAmount, fiat.code, fiat.digits) : '–';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (emailWrong) email.current?.focus();
    else if (!price.current) price.retry();
    else if (!fault) pay();
  };
  return (
    <form noValidate onSubmit={submit}>
      <div className="header">
        <BackButton onClick={onBack} />
        <Title>{t('payment')}</Title>
      </div>
      <Summary paid={paid} got={got} network={chain} />
      <EmailField
        inputRef={email}
        value={purchase.email}
        wrong={checked && emailWrong}
        onChange={purchase.setEmail}
      />
      <TestCard />
      {fault && (
        <p className="error" role="alert">
          {fault}
        </p>
      )}
      <PayButton amount={paid} paying={paying} problem={problem ?? price.problem} />
    </form>
  );
}
