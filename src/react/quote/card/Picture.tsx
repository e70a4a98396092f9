import { type ReactNode, useState } from 'react';

interface PictureProps {
  /** Comes from the service, so the page is not told to it. */
  readonly src: string | undefined;
  /** Stands there without a picture, or when it fails. */
  readonly children?: ReactNode;
}

/** The little picture of a currency or a payment method. It says nothing that is not beside it. */
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
