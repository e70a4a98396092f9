import type { NftMessages } from '../../messages/NftMessages.js';

interface QuantityStepperProps {
  readonly value: number;
  readonly most: number;
  readonly messages: NftMessages;
  /** What is counted, for who hears the group alone. */
  readonly describedBy: string;
  readonly onChange: (value: number) => void;
}

/** How many, by one at a time. At an end its button stays where it is, so that the focus does. */
export function QuantityStepper({
  value,
  most,
  messages,
  describedBy,
  onChange,
}: QuantityStepperProps) {
  const step = (to: number, label: string, sign: string) => {
    const isOff = to < 1 || to > most;
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
      {step(value - 1, messages.fewer, '−')}
      <output>{value}</output>
      {step(value + 1, messages.more, '+')}
    </fieldset>
  );
}
