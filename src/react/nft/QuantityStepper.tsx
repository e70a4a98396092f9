import type { NftMessages } from '../../messages/NftMessages.js';

interface QuantityStepperProps {
  readonly value: number;
  readonly max: number;
  readonly messages: NftMessages;
  /** The id of the element that names the item, for screen readers. */
  readonly describedBy: string;
  readonly onChange: (value: number) => void;
}

/** Changes the quantity by one. At a limit the button stays focusable, so that the focus is not lost. */
export function QuantityStepper({
  value,
  max,
  messages,
  describedBy,
  onChange,
}: QuantityStepperProps) {
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
      <output>{value}</output>
      {renderStepButton(value + 1, messages.increaseQuantity, '+')}
    </fieldset>
  );
}
