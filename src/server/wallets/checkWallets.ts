import type { RampIssue } from '../../protocol/errors/RampError.js';
import type { CheckoutSelection } from '../../protocol/handler/selection.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { findFamilies, isHarmonyAddress, readAddress } from './addressFormats.js';
import {
  addArticle,
  type Chain,
  type ChainTable,
  familyLabels,
  findChainOfCode,
  findChainOfNetwork,
  findSelectedChain,
} from './chains.js';
import type { WalletIssue } from './wallets.js';

/**
 * Returns what is wrong with an address on a chain, or undefined.
 *
 * @param tag - The tag or memo that is sent with the address. Pass undefined if none can be sent.
 */
export function checkAddress(address: string, chain: Chain, tag?: string): WalletIssue | undefined {
  const { family, label } = chain;
  if (!family || (chain.name === 'harmony' && isHarmonyAddress(address))) return undefined;
  const reading = readAddress(family, address);
  if (reading.isAddress) {
    if (reading.tag === undefined || reading.tag === tag) return undefined;
    const message =
      tag === undefined
        ? 'contains a tag or memo, which this checkout cannot pass on: use an address without one'
        : 'contains a tag or memo that is not walletAddressTag';
    return { reason: 'tag', message };
  }
  const { fault, spelling } = reading;
  switch (fault) {
    case 'network':
      return { reason: fault, message: `is an address on a test network, not on ${label}` };
    case 'checksum':
      return {
        reason: fault,
        message: `has a wrong checksum, so a character is wrong or missing: copy the ${label} address again`,
      };
    case 'case':
      return spelling
        ? {
            reason: fault,
            message:
              'has upper and lower case that does not match its checksum (EIP-55): write the letters as EIP-55 does, or all in lower case',
            spelling,
          }
        : {
            reason: fault,
            message:
              'has upper and lower case that does not match its checksum (EIP-55), so a character may be wrong: copy it again',
          };
    case 'format': {
      const others = findFamilies(address).map((other) => familyLabels[other]);
      return others.length > 0
        ? {
            reason: 'family',
            message: `is ${addArticle(others.join(' or '))} address, not one on ${label}`,
          }
        : { reason: 'format', message: `is not an address on ${label}` };
    }
  }
}

const namesCoin = ({ cryptoCurrency, defaultCurrency, cryptoNetwork }: CheckoutSelection) =>
  [cryptoCurrency, defaultCurrency, cryptoNetwork].some(Boolean);

/**
 * Returns the issues of the wallets that a policy granted. A code or network that the table of chains lacks is not
 * checked, because the service may know it. Values that are missing or not text are left to the signer.
 *
 * @param selection - What the shopper has selected on the page. If it names no coin, an on-ramp wallet is not checked:
 * the shopper chooses the coin in the widget.
 */
export function findWalletIssues(
  widget: Widget,
  params: object,
  selection: CheckoutSelection,
  chains: ChainTable,
): readonly RampIssue[] {
  const given = params as Readonly<Record<string, unknown>>;
  const issues: RampIssue[] = [];
  const check = (param: string, chain: Chain | undefined, tag?: string) => {
    const address = given[param];
    const issue =
      chain && typeof address === 'string' && address !== ''
        ? checkAddress(address, chain, tag)
        : undefined;
    if (issue) issues.push({ param, message: issue.message });
  };
  if (widget === 'on-ramp') {
    if (namesCoin(selection)) check('walletAddress', findSelectedChain(selection, chains).chain);
    return issues;
  }
  const { nftNetwork, cryptoCurrency, walletAddressTag } = given;
  const chain = typeof nftNetwork === 'string' ? findChainOfNetwork(nftNetwork, chains) : undefined;
  // On other chains, the contract of an NFT is not an address: on Cardano, for example, it is a policy ID.
  if (chain?.family === 'evm') check('contractAddress', chain);
  check('transferWalletAddress', chain);
  check('ownerWalletAddress', chain);
  const settlement =
    typeof cryptoCurrency === 'string' ? findChainOfCode(cryptoCurrency, chains) : undefined;
  check('walletAddress', settlement, typeof walletAddressTag === 'string' ? walletAddressTag : '');
  return issues;
}
