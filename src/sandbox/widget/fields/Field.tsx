import { type ComponentPropsWithoutRef, type Ref, useId } from 'react';

interface FieldProps extends Omit<ComponentPropsWithoutRef<'input'>, 'id'> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** Renders a labelled input. Its description contains its hint and its error. */
export function Field({ label, hint, error, inputRef, className = 'field', ...input }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        ref={inputRef}
        id={id}
        aria-describedby={described || undefined}
        aria-invalid={error ? true : undefined}
      />
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
