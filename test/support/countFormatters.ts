import { vi } from 'vitest';

/** Replaces `Intl`, until `vi.unstubAllGlobals()`, and returns a function that is called for each formatter created. */
export function countFormatters() {
  const created = vi.fn();
  const counting = <Format extends object>(format: Format) => ({
    value: new Proxy(format, {
      construct(target, parameters) {
        created(...parameters);
        return Reflect.construct(target as new () => object, parameters);
      },
    }),
  });
  const { NumberFormat, DateTimeFormat, RelativeTimeFormat } = Intl;
  vi.stubGlobal(
    'Intl',
    Object.create(Intl, {
      NumberFormat: counting(NumberFormat),
      DateTimeFormat: counting(DateTimeFormat),
      RelativeTimeFormat: counting(RelativeTimeFormat),
    }),
  );
  return created;
}
