import { type ReactNode, useState } from 'react';

interface PictureProps {
  /** A URL of the service. The request has no referrer, so that the service does not see the page. */
  readonly src: string | undefined;
  /** Shown without a picture, or when it fails to load. */
  readonly children?: ReactNode;
}

/** The icon of a currency or payment method. It is decorative: the text beside it has the same content. */
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
