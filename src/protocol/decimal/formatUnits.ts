/** Formats units as a decimal string with exactly `scale` digits after the point. */
export function formatUnits(units: bigint, scale: number): string {
  const digits = `${units}`.padStart(scale + 1, '0');
  const point = digits.length - scale;
  return scale ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
}
