import {
  forwardRef,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefAttributes,
  useId,
  useState,
} from 'react';
import { nftEnglish } from '../../messages/NftMessages.js';
import { fillText } from '../../protocol/fillText.js';
import { createAmountFormats } from '../format/createAmountFormats.js';
import { useRampSettings } from '../provider/RampProvider.js';
import type { RampSettings } from '../provider/RampSettings.js';
import { multiplyAmount } from './multiplyAmount.js';
import { NftCheckout, type NftCheckoutProps } from './NftCheckout.js';
import { QuantityStepper } from './QuantityStepper.js';

type RootProps = HTMLAttributes<HTMLElement>;

/** The props of {@link NftCard}. */
export interface NftCardProps extends RootProps {
  /** Its name, such as `Eight Ridges, Evening`, or a heading of your page with it. */
  readonly name: ReactNode;
  readonly collection?: ReactNode | undefined;
  /** The address of its picture, or a picture of your own. */
  readonly image?: ReactNode | undefined;
  /** What the picture shows, for who does not see it. @default '', as the name stands beside it */
  readonly imageAlt?: string | undefined;
  /** The price of one, a decimal string. It is shown; what is paid is for your policy to say. */
  readonly price: string;
  /** What the price is in, as it is shown: `ETH`. */
  readonly currency: string;
  /** Beside the price; fill it with what `useQuote` answers with `buyType: 'nft'`. */
  readonly fiatPrice?: ReactNode | undefined;
  /** How many may be minted at once; above 1 there is a stepper. @default 1 */
  readonly maxQuantity?: number | undefined;
  /** How many the shopper wants by now. */
  readonly onQuantityChange?: ((quantity: number) => void) | undefined;
  /** What the button is given: parameters, `display`, callbacks. */
  readonly checkout?: (NftCheckoutProps & RefAttributes<HTMLButtonElement>) | undefined;
  /** In place of the button, such as one to sign in. */
  readonly action?: ReactNode | undefined;
  /** Below the button. */
  readonly children?: ReactNode | undefined;
  /** Draws the card's root in your own way: spread what it is given, `ref` included. */
  readonly render?: ((props: RootProps & { ref: Ref<HTMLElement> }) => ReactElement) | undefined;
}

/**
 * An NFT for sale: its picture, collection, name, price, and the button that opens its checkout.
 *
 * @example
 * <NftCard name="Survey" image="/survey.svg" price="0.05" currency="ETH" maxQuantity={5}
 *   checkout={{ merchantUniqueId: 'print-7', type: 'MINT', mintQuantity: 1 }} />
 */
export const NftCard = /* @__PURE__ */ forwardRef<HTMLElement, NftCardProps>(
  function NftCard(props, ref) {
    const {
      name,
      collection,
      image,
      imageAlt = '',
      price,
      currency,
      fiatPrice,
      maxQuantity = 1,
      onQuantityChange,
      checkout = {},
      action,
      children,
      render,
      className = '',
      ...native
    } = props;
    const settings = useRampSettings<RampSettings>({ messages: checkout.messages });
    const messages = { ...nftEnglish, ...settings.messages };
    const [quantity, setQuantity] = useState(() => toQuantity(checkout.mintQuantity));
    const id = useId();
    const isMint = checkout.type === 'MINT';
    const bought = isMint ? { ...checkout, mintQuantity: quantity } : checkout;
    const { coin } = createAmountFormats(settings.language ?? 'en');
    const amount = coin(multiplyAmount(price, isMint ? quantity : 1), currency);
    const label = isMint
      ? fillText(messages.mintFor, { count: `${quantity}`, amount })
      : fillText(messages.buyFor, { amount });
    const change = (next: number) => {
      setQuantity(next);
      onQuantityChange?.(next);
    };
    const root = {
      'aria-labelledby': id,
      ...native,
      ref,
      className: `ramp-nft ${className}`,
      children: (
        <>
          {image && (
            <div className="ramp-nft-image">
              {typeof image === 'string' ? (
                <img src={image} alt={imageAlt} loading="lazy" />
              ) : (
                image
              )}
            </div>
          )}
          {collection && <p className="ramp-nft-collection">{collection}</p>}
          <div className="ramp-nft-name" id={id}>
            {name}
          </div>
          <div className="ramp-nft-price">
            <bdi>{coin(price, currency)}</bdi>
            {fiatPrice && <span className="ramp-nft-fiat">{fiatPrice}</span>}
          </div>
          {isMint && maxQuantity > 1 && (
            <QuantityStepper
              value={quantity}
              max={maxQuantity}
              messages={messages}
              describedBy={id}
              onChange={change}
            />
          )}
          {action ?? (
            <NftCheckout aria-describedby={id} {...bought}>
              {checkout.children ?? label}
            </NftCheckout>
          )}
          {children}
        </>
      ),
    };
    return render ? render(root) : <article {...root} />;
  },
);

/** What a page writes as a quantity; what is none is one. */
const toQuantity = (quantity: unknown): number => {
  const count = Number(quantity);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
};
