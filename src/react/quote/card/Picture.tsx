import { type ReactNode, useState } from 'react';

interface PictureProps {
  /**
   * A picture URL from the service. It is requested without a referrer, so that the service does not learn the page's
   * address.
   */
  readonly src: string | undefined;
  /** Shown if there is no picture, or the picture fails to load. */
  readonly children?: ReactNode;
}

/**
 * The icon of a currency or payment method. It is hidden from screen readers, because the text beside it says the same
 * thing.
 */
export function Picture({ src, children }: PictureProps) {
  const [failed, setFailed] = useState<string>();
  return (
    <span className="ramp-quote-icon" aria-hidden="true">
      {src && src !== failed ? (
        <img
          src={src}
          alt=""
          width={28}
          height={28}
          referrerPolicy="no-referrer"
          onError={() => setFailed(src)}
        />
      ) : (
        children
      )}
    </span>
  );
}
