/** The invariants of every run, each as one sentence. `audit.ts` and the parts of the world check them. */
export const invariants = {
  'checkout-lost': 'A checkout that was signed is in the store until it may be purged.',
  'announcement-lost':
    'A webhook that was answered with 200 is stored, with the order that it announced.',
  'replay-new': 'A webhook that comes again does not count as new.',
  'order-lost': 'An order that the service lists long enough is recorded.',
  'order-stale': 'A recorded order has the last state that the service lists.',
  phantom: 'An order that failed is never recorded.',
  undelivered:
    'A recorded order is delivered if it matches, and reviewed otherwise, also if its last status is not known.',
  'wrong-delivery':
    'An order that does not match its checkout, or is a second one of it, is never delivered.',
  redelivered: 'An order is not delivered or reviewed again once that is recorded.',
  'booked-twice': 'A row that the partner writes in the transaction is there only once.',
  'delivered-at-once':
    'Two instances deliver the same order at the same time only after a freeze or a fault of the database.',
  'delivered-without-lease':
    'An instance begins to deliver only while it has the lease, by its own clock.',
  'lease-shared':
    'Two instances sync at the same time only after a freeze or a fault of the database, and then only one has the lease.',
  'reading-incomplete':
    'A reading of the order list yields each order that was listed from its beginning to its end.',
  'delivery-storm': 'A change is not delivered again and again without a growing pause.',
  key: 'The key of a change names its order and its state.',
  'stranger-matched': 'The order of a stranger is unmatched.',
  'mismatch-matched': 'An order with other terms than granted is never matched.',
  'match-lost': 'An order with the granted terms is matched.',
  'nft-twice':
    'At most one order of an NFT checkout is matched, and one is if one has the granted terms.',
  'page-back': 'The state on a page never goes back.',
  'page-stale': 'A page that still watches shows the last state.',
  'status-wrong': 'The status route returns the state of the orders in the store.',
  'signed-known':
    'A checkout is not signed again if the store has its order or its announcement when the request begins or when the policy returns.',
  'signed-listed':
    'A checkout is not signed again when the service already lists its order, within the documented limits.',
  'not-signed': 'An unpaid checkout is signed again when nothing fails.',
  'policy-known': 'The policy is not called to continue a checkout whose order was delivered.',
  'slow-order':
    'An order that was announced, or whose checkout is open, is delivered soon after it is listed.',
  'slow-webhook': 'An announced order is delivered soon after it is listed.',
  'slow-retry': 'A delivery that failed is tried again.',
  'slow-settlement': 'The settlement of an NFT is recorded within hours.',
  'outcome-missing':
    'A checkout whose announced order is not listed soon is recorded as unconfirmed.',
  'delivery-blocked': 'A change that cannot be delivered does not hold up other changes.',
  'last-purchase':
    'After the faults a purchase works: it is signed at once, delivered soon, and shown on its page.',
  'resolution-lost': 'What an operator recorded stays in the later states of the order.',
  'resolution-unseen':
    'An order that was resolved is neither delivered nor reviewed, unless its status is not known.',
  'retry-early':
    'A reading of the order list does not repeat a refused request before the time that the service named.',
  'erased-early': 'A recorded order of an erased user was delivered or reviewed.',
  'erased-late': 'A finished checkout of an erased user is not left.',
  'erased-less': 'After an erasure nothing of the user is left but what open names.',
  'slow-response': 'A request gets its response within a minute, if its instance does not freeze.',
  waits: 'No shopper waits for ever.',
  'webhook-refused':
    'A minute after the faults, no webhook is answered with an error of the server.',
  'busy-reported':
    'A lock of the database is waited for, unless a process freezes or the database is slow.',
  'response-unexpected': 'Every route answers with a status that it documents.',
  grows: 'Nothing grows: no timer, pending change or replay is left behind.',
  stopped: 'A running instance keeps syncing.',
  'sync-storm': 'In the last hour of a run, no instance syncs all the time.',
  'late-error': 'No error is reported long after the faults have ended.',
  unhandled: 'No promise is rejected unhandled.',
  'runtime-bypassed': 'The server uses no clock and no timer but those of its runtime.',
  unreadable: 'At the end of a run, the store can be read.',
  endless: 'A run ends.',
} as const;

export type InvariantName = keyof typeof invariants;
