import { Fragment } from 'react';

interface JoinedTextProps {
  /** The kind of text, for the tests. */
  readonly of: 'payload' | 'url';
  /** The text before the first item. */
  readonly start?: string;
  /** Items `name=value`, joined with `&`. */
  readonly text: string;
  /** The names to mark. */
  readonly marked?: readonly string[];
}

/** Joined parameters, one per line. The line breaks are only visual: a copied text has none. */
export function JoinedText({ of, start, text, marked = [] }: JoinedTextProps) {
  return (
    <code className="signing-text" data-text={of}>
      {start && <span className="signing-break">{start}</span>}
      {text.split('&').map((item, at) => {
        const [name = '', value] = item.split(/=(.*)/s);
        const Item = marked.includes(name) ? 'mark' : 'span';
        return (
          <Fragment key={name}>
            {at > 0 && <span className="signing-break signing-sign">&amp;</span>}
            <Item>
              <b>{name}</b>
              <span className="signing-sign">=</span>
              {value}
            </Item>
          </Fragment>
        );
      })}
    </code>
  );
}
