import type { RampIssue } from '../../protocol/errors/RampError.js';
import { createParamsError } from '../../protocol/errors/RampError.js';
import type { OrderRange, OrdersQuery } from './eachOrder.js';
import type { CallOptions, EachOrderOptions } from './PartnerApi.js';

// Callers without TypeScript may pass any value.

/** Returns the checked options of a call. @throws RampError `ERR_PARAMS_INVALID` */
export function parseCallOptions(call: CallOptions | undefined): CallOptions {
  const { signal, maxTries } = call ?? {};
  const isOptions = call == null || (typeof call === 'object' && !(call instanceof AbortSignal));
  const isSignal = isOptions && (signal === undefined || signal instanceof AbortSignal);
  const isCount = maxTries === undefined || (Number.isSafeInteger(maxTries) && maxTries > 0);
  if (isSignal && isCount) return { signal, maxTries };
  const issue = isSignal
    ? { param: 'maxTries', message: 'must be a whole number from 1' }
    : { param: 'signal', message: 'must be an AbortSignal, passed as { signal }' };
  throw createParamsError([issue], 'The options of the call were');
}

/** Returns the checked callback of `eachOrder`. @throws RampError `ERR_PARAMS_INVALID` */
export function parseOnMalformed(
  call: EachOrderOptions | undefined,
): EachOrderOptions['onMalformed'] {
  const { onMalformed } = call ?? {};
  if (onMalformed === undefined || typeof onMalformed === 'function') return onMalformed;
  throw createParamsError(
    [{ param: 'onMalformed', message: 'must be a function' }],
    'The options of the call were',
  );
}

/** Returns the checked query of a page of orders. @throws RampError `ERR_PARAMS_INVALID` */
export function parseOrdersQuery(query: OrdersQuery): OrdersQuery {
  const { startTime, endTime, page, size } = query ?? {};
  const issues: RampIssue[] = [];
  const check = (param: string, value: number | undefined, least: number, words: string) => {
    if (!(Number.isSafeInteger(value) && (value as number) >= least))
      issues.push({ param, message: `must be ${words}` });
  };
  const parseTime = (param: string, value: number) => {
    const isMs = value > 99_999_999_999;
    check(param, isMs ? Number.NaN : value, 0, 'a Unix time in whole seconds');
  };
  parseTime('startTime', startTime);
  parseTime('endTime', endTime);
  if (startTime > endTime) issues.push({ param: 'startTime', message: 'is after endTime' });
  if (page !== undefined) check('page', page, 1, 'a whole number from 1');
  if (size !== undefined) check('size', size, 1, 'a whole number from 1');
  if (issues.length > 0) throw createParamsError(issues, 'The query for orders was');
  return { startTime, endTime, page, size };
}

/** Returns the checked range of `eachOrder`. @throws RampError `ERR_PARAMS_INVALID` */
export function parseOrderRange(range: OrderRange): OrderRange {
  const { startTime, endTime, size } = parseOrdersQuery(range);
  return { startTime, endTime, size };
}
