interface PrintArtProps {
  /** The number of the print, which names its file in `public/prints`. */
  readonly number: string;
  /** `undefined` until the listings are loaded. */
  readonly title: string | undefined;
  readonly width?: number;
  readonly height?: number;
}

/** Shows the picture of a print. */
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
