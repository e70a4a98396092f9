import { type FormEvent, useRef, useState } from 'react';
import { isEmail } from '../../catalog/purchaseRules.js';
import type { NftPageData } from '../../checkout/pageData.js';
import type { OrderProgress } from '../../orders.js';
import type { NftCheckoutClient } from '../client/CheckoutClient.js';
import { EmailField } from '../fields/EmailField.js';
import { PayButton } from '../fields/PayButton.js';
import { TestCard } from '../fields/TestCard.js';
import { useLocale } from '../locale/Locale.js';
import { Summary } from '../order/Summary.js';
import { usePay } from '../order/usePay.js';
import { BackButton } from '../page/BackButton.js';
import { Title } from '../page/Title.js';
import type { LiveQuote } from '../price/useLiveQuote.js';
import { createNftTexts } from './createNftTexts.js';
import { findLimitIssue, type NftPurchaseDraft } from './useNftPurchase.js';

interface NftDetailsFormProps {
  readonly session: NftPageData;
  readonly purchase: NftPurchaseDraft;
  readonly price: LiveQuote;
  readonly client: NftCheckoutClient;
  readonly onBack: () => void;
  readonly onPlaced: (order: OrderProgress) => void;
}

/** Renders the second screen: e-mail address and card. The wallet that receives the NFT was signed. */
export function NftDetailsForm(props: NftDetailsFormProps) {
  const { session, purchase, price, client, onBack, onPlaced } = props;
  const words = useLocale();
  const { t, formats } = words;
  const { fiat } = purchase;
  const [checked, setChecked] = useState(false);
  const email = useRef<HTMLInputElement>(null);
  const { pay, paying, problem } = usePay(
    () => fiat && client.order({ fiatCurrency: fiat.code, email: purchase.email.trim() }),
    onPlaced,
  );
  const emailWrong = !isEmail(purchase.email.trim());
  const fault = findLimitIssue(words, fiat, price);
  const { got, chain } = createNftTexts(words, session.nft);
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
