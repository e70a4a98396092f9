import type { Ref } from 'react';
import type { OnRampPageData } from '../../checkout/pageData.js';
import { Field } from '../fields/Field.js';
import { useLocale } from '../locale/Locale.js';
import type { PurchaseDraft } from './usePurchase.js';

interface WalletFieldProps {
  readonly session: OnRampPageData;
  readonly purchase: PurchaseDraft;
  readonly wrong: boolean;
  readonly inputRef: Ref<HTMLInputElement>;
}

/** Renders the wallet: prefilled if the shop's address fits the chain, read-only if it is locked. */
export function WalletField({ session, purchase, wrong, inputRef }: WalletFieldProps) {
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
