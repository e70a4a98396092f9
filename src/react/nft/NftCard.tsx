import {
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefAttributes,
  useId,
  useState,
} from 'react';
import { completeMessages } from '../../client/completeMessages.js';
import { createAmountFormats } from '../../client/format/createAmountFormats.js';
import { type NftMessages, nftEnglish } from '../../messages/NftMessages.js';
import { isDecimal, multiplyDecimals } from '../../protocol/decimals.js';
import { fillText, getPluralCategory } from '../../protocol/fillText.js';
import { createComponent } from '../card/createComponent.js';
import { callPage, PageNodes, toPageContent } from '../card/PageNodes.js';
import type { RampSettings } from '../provider/RampProvider.js';
import { useRampSettings } from '../provider/RampProvider.js';
import { useLocale } from '../useLocale.js';
import { NftCheckout, type NftCheckoutProps } from './NftCheckout.js';

type RootProps = HTMLAttributes<HTMLElement>;

/** Props of {@link NftCard}. Native attributes are passed to the card's root element. */
export interface NftCardProps extends RootProps {
  /** The name of the NFT, such as `Eight Ridges, Evening`, or a heading element of your page. */
  readonly name: ReactNode;
  /** The name of the NFT's collection, such as `Fieldnotes`. */
  readonly collection?: ReactNode | undefined;
  /** The URL of the picture, or your own picture element. */
  readonly image?: ReactNode | undefined;
  /** The alt text of the picture. @default '', because the card already shows the name as text */
  readonly imageAlt?: string | undefined;
  /** The locale of amounts. @default `language`, or else the language of the document, or of the browser */
  readonly locale?: string | undefined;
  /** The price of one NFT as a decimal string. It is only displayed: your policy sets the price that is charged. */
  readonly price: string;
  /** The currency symbol shown with the price, such as `ETH`. */
  readonly currency: string;
  /** The price in fiat, shown beside `price`. `useQuote` with `buyType: 'nft'` returns it. */
  readonly fiatPrice?: ReactNode | undefined;
  /**
   * How many NFTs one checkout of type `MINT` may buy. If it is above 1, the card shows a quantity stepper.
   *
   * @default 1
   */
  readonly maxQuantity?: number | undefined;
  /** Called with the new quantity when the shopper changes it. */
  readonly onQuantityChange?: ((quantity: number) => void) | undefined;
  /** The props of the card's {@link NftCheckout} button: parameters, settings, `display`, callbacks. */
  readonly button?: (NftCheckoutProps & RefAttributes<HTMLButtonElement>) | undefined;
  /** Replaces the button, for example with a sign-in button. */
  readonly action?: ReactNode | undefined;
  /** Shown below the button. */
  readonly children?: ReactNode | undefined;
  /** Renders your own element as the card. Spread the props onto it, including `ref`. */
  readonly render?: ((props: RootProps & { ref: Ref<HTMLElement> }) => ReactElement) | undefined;
}

/**
 * A card for an NFT that is for sale: its picture, collection, name, price, and a button that opens its checkout.
 *
 * @example
 * <NftCard name="Survey" image="/survey.svg" price="0.05" currency="ETH" maxQuantity={5}
 *   button={{ merchantUniqueId: 'print-7', type: 'MINT', mintQuantity: 1 }} />
 */
export const NftCard = /* @__PURE__ */ createComponent<HTMLElement, NftCardProps>(
  'NftCard',
  function NftCard(props, ref) {
    const {
      name,
      collection,
      image,
      imageAlt = '',
      locale,
      price,
      currency,
      fiatPrice,
      maxQuantity = 1,
      onQuantityChange,
      button = {},
      action,
      children,
      render,
      className = '',
      ...native
    } = props;
    const settings = useRampSettings<RampSettings>({
      messages: button.messages,
      language: button.language,
    });
    const messages = completeMessages(nftEnglish, settings.messages);
    const [quantity, setQuantity] = useQuantity(button.mintQuantity);
    const id = useId();
    const isMint = button.type === 'MINT';
    const bought = isMint ? { ...button, mintQuantity: quantity } : button;
    const { coin, number } = createAmountFormats(useLocale(locale, settings.language));
    const amount = coin(multiplyPrice(price, isMint ? quantity : 1), currency);
    const label = isMint
      ? fillText(
          messages.mintFor,
          { count: number(`${quantity}`), amount },
          getPluralCategory(quantity, settings.messages?.textLanguage),
        )
      : fillText(messages.buyFor, { amount });
    const changeQuantity = (next: number) => {
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
          {collection && <p className="ramp-nft-collection">{toPageContent(collection)}</p>}
          <div className="ramp-nft-name" id={id}>
            {toPageContent(name)}
          </div>
          <div className="ramp-nft-price">
            <bdi>{coin(price, currency)}</bdi>
            {fiatPrice && <span className="ramp-nft-fiat">{toPageContent(fiatPrice)}</span>}
          </div>
          {isMint && maxQuantity > 1 && (
            <QuantityStepper
              value={quantity}
              text={number(`${quantity}`)}
              total={amount}
              max={maxQuantity}
              messages={messages}
              describedBy={id}
              onChange={changeQuantity}
            />
          )}
          {action == null ? (
            <NftCheckout aria-describedby={id} {...bought}>
              {button.children ?? label}
            </NftCheckout>
          ) : (
            <PageNodes>{action}</PageNodes>
          )}
          <PageNodes>{children}</PageNodes>
        </>
      ),
    };
    return render ? callPage(() => render(root)) : <article {...root} />;
  },
);

/**
 * Returns the quantity, and a function that sets it. The shopper's choice lasts until the page passes another quantity.
 */
function useQuantity(passed: unknown) {
  const given = toQuantity(passed);
  const [own, setOwn] = useState({ given, quantity: given });
  // The page passed another quantity. It permanently replaces the shopper's choice, even if the page goes back to the
  // earlier quantity.
  if (own.given !== given) setOwn({ given, quantity: given });
  const quantity = own.given === given ? own.quantity : given;
  return [quantity, (next: number) => setOwn({ given, quantity: next })] as const;
}

/** Returns the quantity that the page passed, or 1 if it is not a positive integer. */
const toQuantity = (quantity: unknown): number => {
  const count = Number(quantity);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
};

/**
 * Multiplies a price without rounding. A price that is not a plain decimal is returned unchanged, so that the card
 * never shows an invented total.
 */
export const multiplyPrice = (price: string, count: number): string =>
  isDecimal(price) ? multiplyDecimals(price, `${count}`) : price;

interface QuantityStepperProps {
  readonly value: number;
  /** The quantity as the shopper reads it. */
  readonly text: string;
  /** The price for the whole quantity. */
  readonly total: string;
  readonly max: number;
  readonly messages: NftMessages;
  /** The id of the element that names the item, for screen readers. */
  readonly describedBy: string;
  readonly onChange: (value: number) => void;
}

/**
 * Two buttons that change the quantity by one. At a limit, a button is `aria-disabled` instead of `disabled`, so that
 * it keeps the keyboard focus.
 */
function QuantityStepper(props: QuantityStepperProps) {
  const { value, text, total, max, messages, describedBy, onChange } = props;
  const renderStepButton = (to: number, label: string, sign: string) => {
    const isOff = to < 1 || to > max;
    return (
      <button
        type="button"
        aria-label={label}
        aria-disabled={isOff || undefined}
        onClick={() => isOff || onChange(to)}
      >
        <span aria-hidden="true">{sign}</span>
      </button>
    );
  };
  return (
    <fieldset
      className="ramp-nft-quantity"
      aria-label={messages.quantity}
      aria-describedby={describedBy}
    >
      {renderStepButton(value - 1, messages.decreaseQuantity, '−')}
      <output>
        <span>{text}</span>
        <span className="ramp-visually-hidden">{`, ${total}`}</span>
      </output>
      {renderStepButton(value + 1, messages.increaseQuantity, '+')}
    </fieldset>
  );
}
