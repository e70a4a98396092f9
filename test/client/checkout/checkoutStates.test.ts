import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type CheckoutChange,
  type CheckoutPhase,
  type CheckoutStatus,
  changePhase,
  checkoutTable,
  initialPhase,
} from '../../../src/client/checkout/checkoutStates.js';
import type { Opening, ShownWidget } from '../../../src/client/checkout/Opening.js';
import { RampError } from '../../../src/protocol/index.js';

const createOpening = (): Opening => ({
  display: 'modal',
  trigger: undefined,
  blank: undefined,
  options: { widget: 'on-ramp' },
});
const widget: ShownWidget = { isOpen: () => true, focus() {}, end() {}, detach() {} };
const error = new RampError('ERR_SIGNER', 'down');
const notice = { reason: 'closed', references: ['r1'], secondWindow: undefined } as const;

const opening = createOpening();
/** Each change of the opening that is pending or shown. */
const changes: readonly CheckoutChange[] = [
  { type: 'clicked', opening },
  { type: 'signed', opening, completed: opening },
  { type: 'shown', opening, widget, reference: 'r1' },
  { type: 'blocked', opening, widget, url: 'https://pay.example', error, onLinkClick() {} },
  { type: 'ignored', opening, openInPlace() {} },
  { type: 'noticed', opening, notice },
  { type: 'failed', opening, error, retry() {} },
  { type: 'ended', opening, notice },
  { type: 'left' },
];

/** A phase of each status. */
const phases: Readonly<Record<CheckoutStatus, CheckoutPhase>> = {
  idle: initialPhase,
  signing: { state: { status: 'signing' }, opening },
  open: { state: { status: 'open' }, opening, widget },
  blocked: {
    state: { status: 'blocked', url: 'https://pay.example', error, onLinkClick() {} },
    opening,
    widget,
  },
  error: { state: { status: 'error', error } },
};
const statuses = Object.keys(phases) as CheckoutStatus[];

describe('changePhase', () => {
  it.each(statuses)('follows the table from %s', (status) => {
    const before = phases[status];
    const found = changes.map((change) => {
      const after = changePhase(before, change);
      return [change.type, after === before ? undefined : after.state.status];
    });
    expect(Object.fromEntries(found)).toEqual({
      ...Object.fromEntries(changes.map(({ type }) => [type, undefined])),
      ...checkoutTable[status],
      // The first phase stays as it is.
      ...(status === 'idle' && { left: undefined }),
    });
  });

  it.each(changes.filter(({ type }) => type !== 'clicked' && type !== 'left'))(
    'ignores $type of an opening that is over',
    (change) => {
      const stale = { ...change, opening: createOpening() } as CheckoutChange;
      for (const status of statuses)
        expect(changePhase(phases[status], stale)).toBe(phases[status]);
    },
  );

  it('keeps the reference until the next checkout has one', () => {
    const open = changePhase(phases.signing, {
      type: 'shown',
      opening,
      widget,
      reference: 'r1',
    });
    const idle = changePhase(open, { type: 'ended', opening });
    expect(idle.state).toMatchObject({ status: 'idle', reference: 'r1' });
    const next = createOpening();
    const signing = changePhase(idle, { type: 'clicked', opening: next });
    expect(signing).toMatchObject({ state: { status: 'signing', reference: 'r1' }, opening: next });
  });

  it('removes the notice when the page leaves the checkout', () => {
    const idle = changePhase(phases.open, { type: 'ended', opening, notice });
    expect(idle.state.notice).toBe(notice);
    expect(changePhase(idle, { type: 'left' })).toBe(initialPhase);
  });

  it('goes on with what only the signature tells', () => {
    const completed = createOpening();
    const signing = changePhase(phases.signing, { type: 'signed', opening, completed });
    expect(signing.opening).toBe(completed);
    expect(changePhase(signing, { type: 'failed', opening, error })).toBe(signing);
    expect(changePhase(signing, { type: 'failed', opening: completed, error }).state).toMatchObject(
      {
        status: 'error',
        error,
      },
    );
  });
});

it('has the table of CONTRIBUTING.md', () => {
  const types = changes.map(({ type }) => type);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
  const rows = statuses.map((status) =>
    row([`\`${status}\``, ...types.map((type) => checkoutTable[status][type] ?? '')]),
  );
  const table = [row(['status', ...types]), `|${'---|'.repeat(types.length + 1)}`, ...rows];
  const guide = readFileSync('CONTRIBUTING.md', 'utf8');
  expect(guide).toContain(table.join('\n').replaceAll('|  |', '| |'));
});
