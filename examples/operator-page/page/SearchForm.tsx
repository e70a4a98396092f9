import { type FormEvent, useEffect, useRef } from 'react';

interface SearchFormProps {
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

/** Renders the search form. It is the first field of the page, because support begins with what the shopper wrote. */
export function SearchForm({ text, onSearch }: SearchFormProps) {
  const field = useRef<HTMLInputElement>(null);
  // Focus the field on arrival. Results and drawers then take the focus.
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(field.current?.value.trim() ?? '');
  };
  return (
    <search>
      <form className="operator-search" onSubmit={submit}>
        <label htmlFor="search">Reference, order, wallet or transaction</label>
        <input
          ref={field}
          id="search"
          type="search"
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          defaultValue={text}
        />
        <button type="submit" className="strong-button">
          Search
        </button>
      </form>
    </search>
  );
}
