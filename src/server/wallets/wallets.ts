import { createConfigError, RampError } from '../../protocol/errors/RampError.js';
import type { CheckoutSelection, Untrusted } from '../../protocol/handler/selection.js';
import { readOptions, unchecked } from '../internal/options.js';
import {
  addArticle,
  type ChainTable,
  checkNames,
  findChainOfCode,
  findChainOfNetwork,
  findSelectedChain,
  getOwn,
  type WalletFamily,
} from './chains.js';

/**
 * A shopper's wallets by family, such as `evm` or `bitcoin`. A wallet that exists on one chain only, such as a
 * multi-signature contract, is listed under its chain instead, such as `polygon`. It takes precedence on that chain.
 */
export type Wallets = { readonly [Name in WalletFamily]?: string | undefined } & {
  readonly [chain: string]: string | undefined;
};

/** Options of {@link chooseWallet} and {@link findWalletIssue}. */
export interface WalletOptions {
  /** Your service's codes and their chains, as in the options of `createRamp`. @default {} */
  readonly chains?: ChainTable | undefined;
}

/** Why a text cannot be used as the wallet on a chain. */
export interface WalletIssue {
  /**
   * - `'family'`: it is an address of another family of chains.
   * - `'network'`: it is an address on a test network.
   * - `'checksum'`: a character is wrong or missing.
   * - `'case'`: the upper and lower case of an EVM address does not match EIP-55, so a character may be wrong.
   * - `'tag'`: it contains a tag or memo, which an on-ramp checkout cannot pass on.
   * - `'format'`: it is not an address in any format that this package knows.
   */
  readonly reason: 'family' | 'network' | 'checksum' | 'case' | 'tag' | 'format';
  /** The issue as the rest of a sentence that begins with a name, such as `is a Bitcoin address, not …`. */
  readonly message: string;
  /** The address with its case corrected, if the case is almost certainly all that is wrong. */
  readonly spelling?: string | undefined;
}

/**
 * Chooses the wallet for the coin that the shopper has selected on the page, as `walletAddress` of a policy's params.
 *
 * Otherwise a Bitcoin checkout would open with the shopper's EVM wallet, and the service would leave the wallet out. If
 * the page names no coin, the wallet is the one for the coin that the widget preselects: the first of `cryptoCurrency`,
 * or `USDT_ERC20`. The handler verifies the address later.
 *
 * @param selection - `request.selection` of the policy.
 * @param wallets - The wallets of the shopper, from your database or session.
 * @throws RampError `ERR_POLICY_REFUSED` with a message for the shopper, if the shopper has no wallet for the coin or
 * the chain of the coin is unknown. `ERR_CONFIG_INVALID` if the name of a wallet is misspelt.
 * @example
 * policy: ({ selection, shopper }) => ({
 *   params: { walletAddress: chooseWallet(selection, { evm: shopper.evm, bitcoin: shopper.bitcoin }) },
 * });
 */
export function chooseWallet(
  selection: CheckoutSelection | undefined,
  wallets: Wallets,
  options?: WalletOptions,
): string {
  const { chains } = readOptions('chooseWallet', options, { chains: unchecked<ChainTable>() });
  checkNames('chooseWallet', 'wallet', Object.keys(wallets), Object.values(chains ?? {}));
  const { chain, symbol } = findSelectedChain(selection, chains);
  if (!chain)
    throw new RampError(
      'ERR_POLICY_REFUSED',
      'This shop cannot deliver the selected coin. Choose another one.',
      {
        cause: createConfigError(
          'chooseWallet',
          'does not know the chain of the selected coin or network, so it chooses no wallet. Add the code or the network to the option chains.',
        ),
      },
    );
  const { name, label, family } = chain;
  const address = getOwn(wallets, name) ?? (family && getOwn(wallets, family));
  if (address !== undefined) return address;
  const what = addArticle(`${label} wallet`);
  throw new RampError('ERR_POLICY_REFUSED', `Add ${what} to buy ${symbol ?? 'this coin'}.`);
}

/**
 * Returns what is wrong with an address on a chain, or undefined. Use it where shoppers save a wallet, so that they
 * learn of a wrong one before they buy.
 *
 * It verifies the checksum, except on Solana, Sui and Aptos, which have none. It cannot tell whose wallet it is.
 *
 * @param on - A family (`evm`), a chain (`polygon`), a network (`ethereum_mainnet`) or the code of a cryptocurrency
 * (`USDT_ERC20`).
 * @throws RampError `ERR_CONFIG_INVALID` if `on` names no known chain.
 * @example
 * const issue = await findWalletIssue(text, 'bitcoin');
 * if (issue) return `This ${issue.message}.`;
 */
export async function findWalletIssue(
  address: string,
  on: string,
  options?: WalletOptions,
): Promise<WalletIssue | undefined> {
  const { chains } = readOptions('findWalletIssue', options, { chains: unchecked<ChainTable>() });
  const chain = findChainOfNetwork(on, chains) ?? findChainOfCode(on, chains);
  if (!chain)
    throw createConfigError(
      'findWalletIssue',
      'expects a family, a chain, a network or a currency code, such as evm, polygon or BTC, and was given another name. Add yours to the option chains.',
    );
  // The code that verifies checksums loads on the first call, so that importing this entry point stays cheap.
  const { checkAddress } = await import('./checkWallets.js');
  return checkAddress(address, chain);
}

/**
 * Reads a value of `request.selection` in a policy. Anyone may have written that value.
 *
 * - With `allowed`, returns the value if it is in the list, otherwise undefined. The result has the type of the list,
 *   so it may be used like a value of your own.
 * - Without `allowed`, returns the text: a code, codes separated by commas, or a decimal amount. Only compare it; never
 *   sign it or present it as fact.
 *
 * @example
 * const coin = readSelected(selection.defaultCurrency, ['BTC', 'ETH']); // 'BTC' | 'ETH' | undefined
 * const amount = Number(readSelected(selection.amountFixed) ?? Number.NaN);
 * if (amount < 50) throw new RampError('ERR_POLICY_REFUSED', 'The minimum is 50 USD.');
 */
export function readSelected(value: Untrusted | undefined): string | undefined;
export function readSelected<const Value extends string>(
  value: Untrusted | undefined,
  allowed: readonly Value[],
): Value | undefined;
export function readSelected(
  value: Untrusted | undefined,
  allowed?: readonly string[],
): string | undefined {
  // At run time it is text.
  const text = value as string | undefined;
  return allowed ? allowed.find((known) => known === text) : text;
}
