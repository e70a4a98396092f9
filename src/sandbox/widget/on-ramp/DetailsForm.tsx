import { type FormEvent, type Ref, useEffect, useRef, useState } from 'react';
import { isAddressOfFamily, isEmail } from '../../catalog/purchaseRules.js';
import type { OnRampPageData } from '../../checkout/pageData.js';
import type { OrderProgress } from '../../orders.js';
import type { CheckoutClient } from '../checkoutClient.js';
import { EmailField, Field, PayButton, TestCard } from '../fields.js';
import { useLocale } from '../locale.js';
import { Summary, usePay } from '../order.js';
import type { LiveQuote } from '../price.js';
import { BackButton, Title } from '../WidgetPage.js';
import { createOrderRequest, formatOrderAmounts, type PurchaseDraft } from './usePurchase.js';

interface DetailsFormProps {
  readonly session: OnRampPageData;
  readonly purchase: PurchaseDraft;
  readonly price: LiveQuote;
  readonly client: CheckoutClient;
  readonly onBack: () => void;
  readonly onPlaced: (order: OrderProgress) => void;
}

/** Renders the second screen: e-mail address, wallet and card. */
export function DetailsForm(props: DetailsFormProps) {
  const { session, purchase, price, client, onBack, onPlaced } = props;
  const { t, formats } = useLocale();
  const { crypto, request } = purchase;
  const [checked, setChecked] = useState(false);
  const [wanted, setWanted] = useState(false);
  const email = useRef<HTMLInputElement>(null);
  const wallet = useRef<HTMLInputElement>(null);
  const { pay, paying, problem } = usePay(() => {
    const order = createOrderRequest(purchase, session);
    return order && client.order(order);
  }, onPlaced);
  const emailWrong = !isEmail(purchase.email.trim());
  const walletWrong =
    !session.wallet.hidden && !(crypto && isAddressOfFamily(purchase.wallet.trim(), crypto.family));

  // If the shopper pressed Pay before the price arrived, pay when it arrives.
  useEffect(() => {
    if (!wanted || !(price.current || price.problem)) return;
    setWanted(false);
    if (price.current) pay();
  }, [wanted, price.current, price.problem, pay]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (emailWrong) return email.current?.focus();
    if (walletWrong) return wallet.current?.focus();
    if (price.problem) price.retry();
    setWanted(true);
  };
  const cryptoCurrencyAmount = price.current ? price.quote?.cryptoCurrencyAmount : undefined;
  const { currencyAmount } = request;
  const amounts = formatOrderAmounts(
    formats,
    purchase,
    { currencyAmount, cryptoCurrencyAmount },
    false,
  );
  return (
    <form noValidate onSubmit={submit}>
      <div className="header">
        <BackButton onClick={onBack} />
        <Title>{t('payment')}</Title>
      </div>
      <Summary {...amounts} />
      <EmailField
        inputRef={email}
        value={purchase.email}
        wrong={checked && emailWrong}
        onChange={purchase.setEmail}
      />
      {!session.wallet.hidden && (
        <WalletField
          inputRef={wallet}
          session={session}
          purchase={purchase}
          wrong={checked && walletWrong}
        />
      )}
      <TestCard />
      <PayButton
        amount={amounts.paid}
        paying={paying || wanted}
        problem={problem ?? price.problem}
      />
    </form>
  );
}

interface WalletFieldProps {
  readonly session: OnRampPageData;
  readonly purchase: PurchaseDraft;
  readonly wrong: boolean;
  readonly inputRef: Ref<HTMLInputElement>;
}

/**
 * Renders the field for the wallet. It is prefilled if the shop's address fits the chain, and read-only if the shop
 * locked the address.
 */
function WalletField({ session, purchase, wrong, inputRef }: WalletFieldProps) {
  const { t } = useLocale();
  const { locked } = session.wallet;
  const network = purchase.crypto?.networkName ?? '';
  return (
    <Field
      inputRef={inputRef}
      label={t('wallet')}
      className="field wallet-address"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      maxLength={128}
      required={!locked}
      readOnly={locked}
      value={purchase.wallet}
      onChange={(event) => purchase.setWallet(event.target.value)}
      hint={
        locked
          ? t('walletLocked')
          : purchase.walletNotPrefilled
            ? t('walletNotPrefilled', { network })
            : undefined
      }
      error={wrong ? t('walletInvalid', { network }) : undefined}
    />
  );
}
