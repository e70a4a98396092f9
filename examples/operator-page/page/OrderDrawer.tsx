import { useEffect, useRef, useState } from 'react';
import { ActionButton } from './ActionButton.js';
import { findAnswer, findShopperText, selectMainOrder } from './answer.js';
import { Copyable, CopyButton } from './Copyable.js';
import { HandleForm } from './HandleForm.js';
import { OrderTable } from './OrderRows.js';
import {
  type DrawerTarget,
  describeError,
  type Evidence,
  type OperatorCheckout,
  type OperatorDetails,
  type OperatorOrder,
  type Refreshes,
  requestReopening,
  requestRetry,
  toRows,
  useDetails,
} from './operatorData.js';
import { describeForService, findReply } from './reply.js';
import { SyncButton } from './ServiceStatus.js';
import { Time } from './Time.js';
import {
  describeMatch,
  describeReopening,
  describeUnpaid,
  FULFILMENT_LABELS,
  getEvidenceLabels,
  getFieldLabel,
  RETRY_RESULTS,
} from './texts.js';
import { createTimeline } from './timeline.js';

/** A case that this page has handled, and the time until which the handling can be undone. */
export interface Handled {
  readonly orderId: string;
  readonly handledAt: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

const UNDO_MS = 10_000;

interface OrderDrawerProps {
  readonly target: DrawerTarget;
  readonly refreshes: Refreshes;
  readonly handled: Handled | undefined;
  readonly onHandled: (handled: Handled | undefined) => void;
  readonly onClose: () => void;
}

/**
 * A drawer with everything that is known about a checkout: the answer first, then the evidence, the timeline and the
 * shopper's other checkouts. The browser keeps the focus in it, closes it with Escape, and returns the focus.
 */
export function OrderDrawer({ target, refreshes, handled, onHandled, onClose }: OrderDrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { data, refusal } = useDetails(target, refreshes);
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    // Close the dialog before it is removed: only then does the browser return the focus.
    return () => current?.close();
  }, []);
  // The drawer has links to other checkouts. When one is opened, the drawer scrolls to the top and focuses the title.
  const name = JSON.stringify(target);
  const first = useRef(name);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (first.current === name) return;
    first.current = name;
    dialog.current?.scrollTo(0, 0);
    title.current?.focus();
  }, [name]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog, the click is that on the backdrop
    <dialog
      ref={dialog}
      className="drawer"
      aria-labelledby="drawer-title"
      onClose={onClose}
      onClick={({ target: clicked, currentTarget }) => {
        if (clicked === currentTarget) currentTarget.close();
      }}
    >
      <div className="drawer-body">
        <div className="drawer-head">
          <h2 ref={title} id="drawer-title" tabIndex={-1}>
            {data ? getTitle(data) : refusal ? 'Not found' : 'Loading…'}
          </h2>
          <button type="button" className="quiet-button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
        {refusal && <p>{refusal}</p>}
        {data && (
          <DrawerContent
            focusTitle={() => title.current?.focus()}
            key={name}
            details={data}
            refreshes={refreshes}
            handled={handled}
            onHandled={onHandled}
          />
        )}
      </div>
    </dialog>
  );
}

function getTitle({ checkout, order }: OperatorDetails): string {
  const main = order ?? (checkout && selectMainOrder(checkout));
  const title = checkout?.title ?? main?.title ?? '';
  const amount = main?.paid ?? checkout?.requested;
  return amount ? `${title}, ${amount}` : title;
}

type ContentProps = Pick<OrderDrawerProps, 'refreshes' | 'handled' | 'onHandled'> & {
  readonly details: OperatorDetails;
  /** Moves the focus to the title, because the focused control is about to be removed. */
  readonly focusTitle: () => void;
};

function DrawerContent({ details, refreshes, handled, onHandled, focusTitle }: ContentProps) {
  const { checkout, others } = details;
  const main = details.order ?? (checkout && selectMainOrder(checkout));
  const orders = details.order ? [details.order] : (checkout?.orders ?? []);
  const now = Date.now() / 1000;
  const answer = findAnswer(details, now);
  const [title, hint] = checkout ? findShopperText(checkout, now) : [];
  const otherCheckouts = others.length > 0 && (
    <section className="drawer-part">
      <h3>Other checkouts of this shopper</h3>
      <OrderTable
        caption="Other checkouts of this shopper, newest first"
        rows={toRows({ checkouts: others, unmatched: [] })}
      />
    </section>
  );
  return (
    <>
      <div className="answer" data-tone={answer.tone} role="status">
        <p className="answer-title">{answer.title}</p>
        <p>{answer.text}</p>
      </div>
      <div className="actions">
        <CopyButton label="Copy answer" text={findReply(details, now)} />
        {main?.case?.reason === 'wallet' && (
          <CopyButton label="Copy for the service" text={describeForService(main, checkout)} />
        )}
        {answer.canSync && <SyncButton onSynced={refreshes.refresh} />}
      </div>
      {orders.map((order, i) => (
        <OrderPart
          key={order.orderId}
          order={order}
          number={orders.length > 1 ? i + 1 : undefined}
          checkout={checkout}
          handled={handled?.orderId === order.orderId ? handled : undefined}
          onHandled={(now) => {
            focusTitle();
            onHandled(now);
            refreshes.refresh();
          }}
          refresh={refreshes.refresh}
          focusTitle={focusTitle}
        />
      ))}
      {orders.length === 0 && checkout && (
        <>
          {/* Show the other checkouts first: the payment that the shopper means often belongs to one of them. */}
          {otherCheckouts}
          <UnpaidBadge checkout={checkout} now={now} />
          <Timeline checkout={checkout} order={undefined} />
        </>
      )}
      {title && (
        <section className="drawer-part">
          <h3>The shopper reads</h3>
          <p>
            “{title}. {hint}”
          </p>
        </section>
      )}
      {checkout && <CheckoutFacts checkout={checkout} />}
      {orders.length > 0 && otherCheckouts}
    </>
  );
}

function UnpaidBadge({ checkout, now }: { checkout: OperatorCheckout; now: number }) {
  const { status, label, detail } = describeUnpaid(checkout, now);
  return (
    <p className="drawer-status">
      <span className="badge" data-status={status}>
        {label}
      </span>{' '}
      {detail}
    </p>
  );
}

interface OrderPartProps {
  readonly order: OperatorOrder;
  readonly number: number | undefined;
  readonly checkout: OperatorCheckout | undefined;
  readonly handled: Handled | undefined;
  readonly onHandled: (handled: Handled | undefined) => void;
  readonly refresh: () => void;
  readonly focusTitle: () => void;
}

function OrderPart(props: OrderPartProps) {
  const { order, number, checkout, handled, onHandled, refresh, focusTitle } = props;
  const {
    delivery,
    orderId,
    fulfilment,
    evidence,
    transaction,
    wallet,
    paid,
    bought,
    case: found,
  } = order;
  return (
    <section className="drawer-part" aria-label={number ? `Order ${number}` : 'Order'}>
      {number && (
        <h3>
          Order {number}: {paid}
        </h3>
      )}
      <p className="drawer-status">
        <span className="badge" data-status={fulfilment}>
          {FULFILMENT_LABELS[fulfilment]}
        </span>{' '}
        {describeMatch(order)}
      </p>
      {evidence && <EvidenceTable evidence={evidence} />}
      {delivery && delivery.tries > 0 && (
        <FailedBooking
          orderId={orderId}
          delivery={delivery}
          onRetried={(isBooked) => {
            // The focused button is about to be removed.
            if (isBooked) focusTitle();
            refresh();
          }}
        />
      )}
      {fulfilment === 'needs-attention' && (
        <HandleForm
          orderId={orderId}
          seen={order.resolution}
          earlierNote={found?.note ?? ''}
          onHandled={(handledAt) => onHandled({ orderId, handledAt, until: Date.now() + UNDO_MS })}
          onRefused={refresh}
        />
      )}
      {found?.handledAt !== undefined && (
        <HandledNote
          orderId={orderId}
          found={found}
          handledAt={found.handledAt}
          until={handled?.until}
          onReopened={() => onHandled(undefined)}
        />
      )}
      <Timeline checkout={checkout} order={order} />
      <dl className="facts-list">
        <Fact name="Order">
          <Copyable name="order number" value={orderId} />
        </Fact>
        <Fact name="Bought">{bought}</Fact>
        {wallet && (
          <Fact name="Sent to">
            <Copyable name="wallet" value={wallet} />
          </Fact>
        )}
        {transaction && (
          <Fact name="Transaction">
            <Copyable name="transaction" value={transaction.hash} />{' '}
            {transaction.url && (
              <a className="explorer" href={transaction.url} target="_blank" rel="noreferrer">
                Explorer<span className="visually-hidden"> (new tab)</span>
              </a>
            )}
          </Fact>
        )}
      </dl>
    </section>
  );
}

function EvidenceTable({ evidence }: { evidence: Evidence }) {
  const [expectedLabel, actualLabel] = getEvidenceLabels(evidence);
  const { expected, actual } = evidence;
  const toCell = (name: string, value: string | undefined) =>
    value === undefined ? 'nothing' : <Copyable name={name} value={value} />;
  return (
    <dl className="evidence" aria-label={`Evidence: ${getFieldLabel(evidence)}`}>
      <div>
        <dt>{expectedLabel}</dt>
        <dd>{toCell('expected value', expected)}</dd>
      </div>
      <div>
        <dt>{actualLabel}</dt>
        <dd>{toCell('actual value', actual)}</dd>
      </div>
    </dl>
  );
}

interface FailedBookingProps {
  readonly orderId: string;
  readonly delivery: NonNullable<OperatorOrder['delivery']>;
  readonly onRetried: (isBooked: boolean) => void;
}

/** Shows why the shop could not book an order, and a button that tries again now. */
function FailedBooking({ orderId, delivery: { lastError }, onRetried }: FailedBookingProps) {
  const retry = async () => {
    const { result } = await requestRetry(orderId);
    onRetried(result === 'delivered');
    return RETRY_RESULTS[result];
  };
  return (
    <div className="failed-booking">
      {lastError && (
        <p>
          Last error, <Time at={lastError.at} seconds />: <code>{lastError.message}</code>
        </p>
      )}
      <ActionButton label="Try again now" busyText="Trying…" action={retry} />
    </div>
  );
}

interface HandledNoteProps {
  readonly orderId: string;
  readonly found: NonNullable<OperatorOrder['case']>;
  readonly handledAt: number;
  /** Until when the handling can be undone, milliseconds since 1970. */
  readonly until: number | undefined;
  readonly onReopened: () => void;
}

/**
 * Shows the note of a handled case, and a button that opens the case again. For ten seconds the button is an undo: if
 * the shop had failed to book the order, it goes on trying.
 */
function HandledNote({ orderId, found, handledAt, until, onReopened }: HandledNoteProps) {
  const [problem, setProblem] = useState('');
  const left = useSecondsUntil(until);
  const reopen = () => {
    requestReopening(orderId, handledAt).then(onReopened, (error) =>
      setProblem(describeError(error)),
    );
  };
  return (
    <div className="handled-note">
      {found.note && (
        <p className="note" dir="auto">
          {found.note}
        </p>
      )}
      <div className="action">
        <button type="button" className="quiet-button" onClick={reopen}>
          {left > 0 ? (
            <>
              Undo <span aria-hidden="true">({left})</span>
            </>
          ) : (
            'Change'
          )}
        </button>
        <p>{left > 0 ? '' : describeReopening(found.reason)}</p>
      </div>
      <p className="error-message" role="alert">
        {problem}
      </p>
    </div>
  );
}

/** Returns the whole seconds until a time, counting down to 0. */
function useSecondsUntil(until: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  return until === undefined ? 0 : Math.max(0, Math.ceil((until - now) / 1000));
}

interface TimelineProps {
  readonly checkout: OperatorCheckout | undefined;
  readonly order: OperatorOrder | undefined;
}

function Timeline({ checkout, order }: TimelineProps) {
  return (
    <ol className="timeline" aria-label="Timeline">
      {createTimeline(checkout, order).map(({ name, at, text, isWrong }) => (
        <li key={name} data-state={at !== undefined ? 'done' : isWrong ? 'wrong' : 'missing'}>
          <span>{name}</span>
          <span className="timeline-time">
            {at === undefined ? text : <Time at={at} seconds />}
          </span>
        </li>
      ))}
    </ol>
  );
}

function CheckoutFacts({ checkout }: { checkout: OperatorCheckout }) {
  const { reference, shopper, wallet, expiresAt, orders } = checkout;
  return (
    <section className="drawer-part">
      <h3>Checkout</h3>
      <dl className="facts-list">
        <Fact name="Reference">
          <Copyable name="reference" value={reference} />
        </Fact>
        <Fact name="Shopper">
          <bdi>{shopper}</bdi>
        </Fact>
        {wallet && (
          <Fact name="Shopper’s wallet">
            <Copyable name="shopper’s wallet" value={wallet} />
          </Fact>
        )}
        {orders.length === 0 && (
          <Fact name={expiresAt * 1000 > Date.now() ? 'Can be paid until' : 'Expired'}>
            <Time at={expiresAt} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
