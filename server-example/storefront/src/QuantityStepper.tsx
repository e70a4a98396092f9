interface QuantityStepperProps {
  /** What it counts. */
  readonly of: string;
  readonly value: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

/** How many, from one to `most`. A button at its end stays where the focus is, and does nothing. */
export function QuantityStepper({ of, value, most, onChange }: QuantityStepperProps) {
  const step = (by: number, name: string, sign: string) => {
    const next = value + by;
    const isEnd = next < 1 || next > most;
    return (
      <button
        type="button"
        aria-label={`${name}: ${of}`}
        aria-disabled={isEnd}
        onClick={() => isEnd || onChange(next)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d={sign} />
        </svg>
      </button>
    );
  };
  return (
    <fieldset className="stepper">
      <legend className="unseen">
        How many, at most {most}: {of}
      </legend>
      {step(-1, 'One fewer', 'M3 8h10')}
      <output>{value}</output>
      {step(1, 'One more', 'M3 8h10M8 3v10')}
    </fieldset>
  );
}
