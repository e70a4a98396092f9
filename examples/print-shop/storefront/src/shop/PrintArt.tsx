interface PrintArtProps {
  /** The number of the print. Its file in `public/prints` has this name. */
  readonly number: string;
  /** `undefined` until the listings are loaded. */
  readonly title: string | undefined;
  readonly width?: number;
  readonly height?: number;
}

export function PrintArt({ number, title, width = 400, height = 500 }: PrintArtProps) {
  return (
    <img
      className="art"
      src={`/prints/${number}.svg`}
      alt={title ?? `Print no. ${number}`}
      width={width}
      height={height}
    />
  );
}
