/** The size of the sheet that every print is drawn on and scaled from. */
export const SHEET = { width: 400, height: 500 } as const;

type Point = readonly [x: number, y: number];

const roundCoordinate = (value: number) => Number(value.toFixed(1));

/** Converts points to path data. */
export function toPath(points: readonly Point[], closed = false): string {
  const text = points.map(([x, y]) => `${roundCoordinate(x)} ${roundCoordinate(y)}`).join('L');
  return text && `M${text}${closed ? 'Z' : ''}`;
}

/** Interpolates between two hexadecimal colours. */
export function mixColors(from: string, to: string, share: number): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => {
    const value = channel(from, at) + (channel(to, at) - channel(from, at)) * share;
    return Math.round(value).toString(16).padStart(2, '0');
  });
  return `#${mixed.join('')}`;
}

/** Interpolates along a ramp of several colours. */
export function interpolateColors(ramp: readonly string[], share: number): string {
  const position = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const index = Math.min(Math.floor(position), ramp.length - 2);
  return mixColors(ramp[index] as string, ramp[index + 1] as string, position - index);
}
