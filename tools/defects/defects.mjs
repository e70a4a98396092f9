// Defects of kinds that real systems have had. Each changes one source file, at a place that it finds in the syntax
// tree.
const tracker = (name) => `src/server/orders/tracker/${name}.ts`;
const sql = (name) => `src/server/sql/${name}.ts`;
const handler = (name) => `src/server/handler/${name}.ts`;
const orders = (name) => `src/server/orders/${name}.ts`;
const LIST = 'src/server/partner-api/orders.ts';
const ONLY_SQLITE = { store: 'sqlite' };

/**
 * @param options - `store`: the only store that the defect is planted with. `hidden`: what hides the defect from users
 * and from the simulation.
 */
const defect = (id, what, file, plant, options = {}) => ({ id, what, file, plant, ...options });

export const defects = [
  // The lease
  defect(
    'lease-no-renewal',
    'the lease is never renewed',
    sql('store/state'),
    (file) => file.in('withSyncLease').call('renewLease').replace('Promise.resolve()'),
    ONLY_SQLITE,
  ),
  defect(
    'lease-not-released',
    'the lease is not released, and never expires',
    sql('store/state'),
    (file) => {
      file.in('withSyncLease').call('release').replace('Promise.resolve()');
      file.in('withSyncLease').call('or').replace("eb('lease_until', '=', 0)");
    },
    ONLY_SQLITE,
  ),
  defect(
    'lease-compare-reversed',
    'a running lease is taken over, an expired one is not',
    sql('store/state'),
    (file) =>
      file
        .in('withSyncLease')
        .call('or')
        .replace("or([eb('lease_until', '>=', now), eb('lease_until', '>', until)])"),
    ONLY_SQLITE,
  ),
  defect(
    'timer-leak',
    'each sync leaves its renewal timer running',
    sql('store/state'),
    (file) => file.in('withSyncLease').call('clearInterval').replace('undefined'),
    ONLY_SQLITE,
  ),
  defect(
    'lease-lost-ignored',
    'an instance delivers although its lease is lost',
    tracker('deliverChanges'),
    (file) => file.in('mustStop').call('hasLease').replace('true'),
  ),

  // Reading the list
  defect(
    'watermark-before-commit',
    'the newest orders count as read before they are',
    tracker('readDueRanges'),
    (file) =>
      file
        .in('readFrom')
        .call('keep')
        .statement.replace('await kept.save(completeRange(kept.state, name, now));'),
  ),
  defect(
    'watermark-no-lookback',
    'the sync starts at the watermark, without lookback',
    tracker('readDueRanges'),
    (file) => file.in('findNewestStart').value('lookback').replace('0'),
  ),
  defect(
    'watermark-on-failure',
    'the newest orders count as read although a page failed',
    tracker('readDueRanges'),
    (file) => {
      const read = file.in('readDueRanges').call('readFrom', 0);
      read.replace(
        `${read.text}.catch((error) => {
          kept.change(completeRange(kept.state, 'newest', now));
          throw error;
        })`,
      );
    },
  ),
  defect(
    'watermark-in-future',
    'a watermark of a clock that was ahead is believed',
    tracker('readDueRanges'),
    (file) =>
      file.in('findNewestStart').value('known').replace('completeAt || (state.firstAt ?? now)'),
  ),
  defect(
    'narrow-gap',
    'a new shop whose first syncs fail reads the recent orders only',
    tracker('readDueRanges'),
    (file) => file.in('findNewestStart').value('known').replace('Math.min(completeAt || now, now)'),
  ),
  defect(
    'cursor-in-future',
    'a cursor of a clock that was ahead is believed',
    tracker('syncState'),
    (file) => file.in('getCursor').operation('&&', 'cursor').replace('cursor'),
  ),
  defect(
    'continued-counts-as-new',
    'a reading that took several syncs counts as one that began with the last of them',
    tracker('readRange'),
    (file) => file.in('readRange').operation('??', 'begunAt').replace('undefined'),
  ),
  defect('part-skipped', 'a minute between two parts is not read', tracker('readRange'), (file) =>
    file
      .in('readRange')
      .find(
        'from',
        (node) => node.type === 'Property' && node.key.name === 'from' && !node.shorthand,
      )
      .replace('from: end + 60'),
  ),
  defect(
    'parts-never-shorter',
    'a part that was too long for one sync is read at once again',
    tracker('syncState'),
    (file) => file.in('shortenPart').call('max').replace('seconds'),
  ),
  defect('daily-never', 'the daily reading never comes again', tracker('syncState'), (file) =>
    file.value('RANGE_SECONDS').replace('{ newest: 0, unsettled: 3600, daily: 1e12 }'),
  ),
  defect(
    'settlement-never',
    'unsettled NFT orders are not read again',
    tracker('syncState'),
    (file) => file.value('RANGE_SECONDS').replace('{ newest: 0, unsettled: 1e12, daily: 86_400 }'),
  ),
  defect(
    'page-error-swallowed',
    'a failed page ends the sync without an error',
    tracker('readRange'),
    (file) =>
      file
        .in('readPart')
        .find('throw', ({ type }) => type === 'ThrowStatement')
        .replace('onError(error);'),
  ),
  defect(
    'last-batch-lost',
    'the last orders of a list are not recorded',
    tracker('readRange'),
    (file) =>
      file
        .in('readPart')
        .find(
          'the last batch',
          (node, [parent]) =>
            node.type === 'ExpressionStatement' &&
            parent?.type === 'BlockStatement' &&
            /^await recordBatch\(\);$/.test(file.source.code.slice(node.start, node.end)),
          -1,
        )
        .remove(),
  ),
  defect('expire-now', 'checkouts expire a day too early', tracker('readDueRanges'), (file) =>
    file.in('readFrom').call('expireCheckouts').argument(0).replace('begunAt + 86_400'),
  ),
  defect(
    'unconfirmed-lost',
    'an announced order that is not listed is not recorded as unconfirmed',
    tracker('readDueRanges'),
    (file) =>
      file.in('readDueRanges').call('markUnconfirmed').replace('Promise.resolve(announced)'),
  ),
  defect('malformed-stops', 'a malformed order ends the sync', tracker('readRange'), (file) =>
    file.in('readPart').call('onMalformed').replace('(() => { throw error; })()'),
  ),
  defect(
    'old-retry-at-once',
    'old orders that could not be read are read again by every sync',
    tracker('syncState'),
    (file) => file.in('mayRead').operation('||', 'notBefore').replace('true'),
  ),
  defect(
    'settlement-behind-daily',
    'unsettled NFT orders are not read while the daily reading fails',
    tracker('readDueRanges'),
    (file) =>
      file
        .in('readDueRanges')
        .call('isRangeDue')
        .replace('(isRangeDue(kept.state, name, now) && kept.state.ranges.daily.notBefore <= now)'),
  ),
  defect('page-off-by-one', 'the last page is not read if it has one order', LIST, (file) =>
    file.in('readUntilStable').operation('===', 'count').replace('count >= totalCount - 1'),
  ),
  defect('page-size-assumed', 'each page is expected to be full', LIST, (file) =>
    file.in('readUntilStable').operation('+=', 'count').right.replace('window.size'),
  ),
  defect('window-seam', 'windows do not overlap', LIST, (file) =>
    file.in('takeWindow').operation('-', 'endTime').replace('window.endTime'),
  ),
  defect('range-end-excluded', 'requests do not reach beyond the range', LIST, (file) =>
    file.in('eachOrder').operation('+', 'endTime').replace('endTime'),
  ),
  defect('shrink-ignored', 'a list that shrinks is not read again', LIST, (file) =>
    file.in('readUntilStable').condition('current', 0).replace('true'),
  ),
  defect(
    'duplicates-by-id',
    'an order whose state changes while the list is read is skipped',
    LIST,
    (file) => file.in('eachOrder').call('isDuplicate', 1).argument(0).replace('order.orderId'),
    { hidden: 'the next reading sees the later state' },
  ),
  defect(
    'retry-none',
    'a request is not retried, and its error is an empty page',
    'src/server/partner-api/request.ts',
    (file) =>
      file
        .in('retry')
        .find('throw', ({ type }) => type === 'ThrowStatement', 0)
        .replace(
          'if (!(error instanceof TransientError)) throw error; return { page: 1, size: 1, totalCount: 0, list: [], malformed: [] } as T;',
        ),
  ),
  defect(
    'timeout-ignored',
    'a response that never arrives is awaited for ever',
    'src/server/internal/withTimeLimit.ts',
    (file) => file.in('withTimeLimit').call('abort').replace('undefined'),
  ),

  // Recording
  defect('state-goes-back', 'an older state replaces a newer one', orders('matchOrder'), (file) =>
    file.in('isNewState').operation('>', 'RANK').replace('order.state !== record.order.state'),
  ),
  defect('second-nft-order', 'a second order of an NFT matches too', orders('matchOrder'), (file) =>
    file.in('toOrderMatch').value('isSecond').replace('false'),
  ),
  defect(
    'claim-unknown',
    'an order in an unknown state claims the checkout',
    orders('matchOrder'),
    (file) =>
      file
        .in('matchOrders')
        .condition('claimed', 0)
        .replace("known && !claimed && matched.matchStatus !== 'quarantined'"),
  ),
  defect('wallet-unchecked', 'a locked wallet is not compared', orders('findMismatch'), (file) =>
    file.in('findMismatch').call('isSameAccount').replace('true'),
  ),
  defect('amount-unchecked', 'the currency is not compared', orders('findMismatch'), (file) =>
    file.in('findMismatch').operation('!==', 'expectedFiatCurrency').replace('!order.fiatCurrency'),
  ),
  defect('nft-unchecked', 'the fields of an NFT are not compared', orders('findMismatch'), (file) =>
    file.in('findNftMismatch').call('isSame').replace('true'),
  ),
  defect(
    'key-without-state',
    'the key of a change lacks the state',
    orders('store/OrderRecord'),
    (file) =>
      file
        .in('toChangeKey')
        .find('template', ({ type }) => type === 'TemplateLiteral', 0)
        .replace("orderId + ':'"),
  ),
  defect(
    'outbox-lost',
    'the change is written in another transaction than its order',
    sql('store/orders'),
    (file) => {
      const write = file.in('writeRecords').call('addChanges');
      const insert = write.text;
      write.replace(
        `Promise.resolve().then(() => { setImmediate(() => { void ${insert}.catch(() => {}); }); })`,
      );
    },
    ONLY_SQLITE,
  ),
  defect(
    'claim-lost',
    'a claimed checkout is not stored',
    sql('store/orders'),
    (file) => file.in('writeRecords').call('inChunks', 1).replace('Promise.resolve()'),
    ONLY_SQLITE,
  ),

  // Delivery
  defect(
    'ack-before-delivery',
    'a change is removed before it is delivered',
    tracker('deliverChanges'),
    (file) =>
      file
        .in('deliverChange')
        .call('trace')
        .statement.before('await store.handleChange(pending, async (_, history) => history);'),
  ),
  defect(
    'delivery-error-swallowed',
    'a failed delivery counts as delivered',
    tracker('deliverChanges'),
    (file) =>
      file
        .in('handleChange')
        .call('deliver')
        .replace('Promise.resolve(deliver(outcome.order, transaction)).catch(onError)'),
  ),
  defect('delivery-not-awaited', 'deliver is not awaited', tracker('deliverChanges'), (file) =>
    file
      .in('handleChange')
      .call('deliver')
      .replace('void Promise.resolve(deliver(outcome.order, transaction)).catch(onError)'),
  ),
  defect('delivery-no-limit', 'a delivery has no time limit', tracker('deliverChanges'), (file) =>
    file.in('callInTime').call('withTimeLimit').replace('call()'),
  ),
  defect(
    'review-forgotten',
    'an order that does not match is neither delivered nor reviewed',
    tracker('deliverChanges'),
    (file) => file.in('handleChange').call('review').replace('undefined'),
  ),
  defect(
    'second-order-delivered',
    'a second order of a checkout is delivered',
    orders('outcomes'),
    (file) =>
      file.in('findOutcome').condition('isLaterOrder').replace("change.matchStatus === 'matched'"),
  ),
  defect(
    'resolution-ignored',
    'an order is delivered although an operator has resolved it',
    orders('outcomes'),
    (file) => file.in('findOutcome').condition('resolution', 1).replace('false'),
    ONLY_SQLITE,
  ),
  defect(
    'delivery-stop-at-failure',
    'a failed change is not postponed, and blocks those after it',
    tracker('deliverChanges'),
    (file) => file.in('deliverChange').call('postponeChange', 0).replace('Promise.reject(error)'),
  ),
  defect(
    'backoff-milliseconds',
    'a failed change is postponed by milliseconds instead of seconds',
    tracker('deliverChanges'),
    (file) =>
      file
        .in('deliverChange')
        .operation('+', 'getBackoffSeconds')
        .replace('getSeconds(runtime) * 1000 + getBackoffSeconds(tries)'),
  ),
  defect(
    'backoff-none',
    'a failed change is delivered again at once',
    tracker('deliverChanges'),
    (file) => file.in('deliverChange').operation('+', 'getBackoffSeconds').replace('0'),
  ),
  defect(
    'history-forgotten',
    'the store forgets that an order was delivered',
    sql('store/deliveries'),
    (file) => file.in('handleChange').condition('next').replace('false'),
    ONLY_SQLITE,
  ),
  defect(
    'change-outlives-delivery',
    'a change is not removed with its delivery',
    sql('store/deliveries'),
    (file) =>
      file
        .in('handleChange')
        .call('deleteFrom')
        .replace("db.deleteFrom('ramp_changes').where(sql`1 = 0`)"),
    ONLY_SQLITE,
  ),

  // Signing
  defect(
    'sign-before-save',
    'a checkout is answered before it is saved',
    handler('openCheckout'),
    (file) => {
      const save = file.in('openCheckout').call('saveCheckout');
      save.replace(`Promise.resolve(void ${save.text}.catch(() => {}))`);
    },
  ),
  defect(
    'continue-no-check',
    'an order that is already recorded does not stop a signature',
    handler('continueCheckout'),
    (file) => file.in('mayBePaid').operation('>', 'orders').replace('orders.length > 1'),
  ),
  defect(
    'continue-no-sync',
    'the order list is not read before a signature',
    handler('continueCheckout'),
    (file) =>
      file.in('createContinueRoute').call('checkOrders').replace('Promise.resolve(undefined)'),
  ),
  defect(
    'continue-no-second-look',
    'the order is not looked up again after the policy',
    handler('continueCheckout'),
    (file) => file.in('createContinueRoute').condition('latest').replace('false'),
  ),
  defect(
    'continue-ignores-failure',
    'a list that could not be read counts as empty',
    handler('continueCheckout'),
    (file) => file.in('createContinueRoute').condition('failure').replace('false'),
  ),
  defect(
    'continue-announced-ignored',
    'an announced order does not stop a signature',
    handler('continueCheckout'),
    (file) => file.in('mayBePaid').operation('!==', 'announcedAt').replace('false'),
  ),
  defect(
    'continue-joins-running',
    'a check joins a reading that has already begun',
    handler('orderCheck'),
    (file) => file.in('queueReading').value('queued', 0).statement.replace(''),
  ),
  defect(
    'continue-margin',
    'the check reads only orders after the last sync',
    handler('orderCheck'),
    (file) =>
      file
        .in('findStart')
        .operation('-', 'MARGIN_SECONDS', -1)
        .replace('Math.min(now, Math.max(created, synced))'),
  ),

  // Webhooks and the schedule
  defect('webhook-ignored', 'a verified webhook requests no sync', handler('webhook'), (file) =>
    file.in('createWebhookRoute').call('runAfterResponse', 0).replace('undefined'),
  ),
  defect(
    'webhook-200-on-failure',
    'a webhook that could not be stored is answered with 200',
    handler('webhook'),
    (file) =>
      file
        .in('createWebhookRoute')
        .value('isGenuine')
        .statement.after('if (isGenuine) return sendJson(c, {});'),
  ),
  defect(
    'replay-accepts',
    'a replay counts as new',
    sql('store/state'),
    (file) =>
      file
        .in('claimReplay')
        .find('return', ({ type }) => type === 'ReturnStatement', -1)
        .replace('return isNew || true;'),
    ONLY_SQLITE,
  ),
  defect(
    'request-lost',
    'a webhook during a sync requests no further sync',
    tracker('syncLoop'),
    (file) =>
      file
        .in('request')
        .find('request', (node) => node.type === 'AssignmentExpression', 0)
        .replace('isRequested ||= pause !== undefined'),
    {
      hidden: 'the order is announced in the store, so the next sync follows a second later anyway',
    },
  ),
  defect('loop-stops-on-error', 'the loop ends when a sync fails', tracker('syncLoop'), (file) =>
    file.in('loop').call('onError').statement.after('return;'),
  ),
  defect(
    'loop-busy-day',
    'an instance without the lease waits for a day',
    tracker('syncLoop'),
    (file) => file.value('BUSY_MS').replace('86_400_000'),
  ),
  defect(
    'announced-forgotten',
    'an announced order is forgotten when any other order is recorded',
    tracker('plan'),
    (file) =>
      file
        .in('planSync')
        .condition('announcedAt', 0)
        .replace('announcedAt !== undefined && state.recordedAt < announcedAt'),
  ),
  defect(
    'idle-day',
    'an idle instance ignores the checkout of another one',
    tracker('syncLoop'),
    (file) => file.in('step').call('min').replace('plan.at - now'),
  ),
  defect(
    'sync-outside-loop',
    'a sync outside the loop does not plan the next one, and an idle instance does not look into the store',
    tracker('createOrderTracker'),
    (file) => file.in('runNow').call('look').replace('undefined'),
    { hidden: 'the loop looks into the store within maxPollSeconds anyway' },
  ),
  defect(
    'killed-forgotten',
    'a sync whose process was killed counts as one that has ended',
    tracker('plan'),
    (file) =>
      file.in('planSync').condition('endedAt', 0).replace('endedAt !== undefined && endedAt > now'),
  ),

  // The store
  defect(
    'open-compare-reversed',
    'open checkouts are those that are not open',
    sql('store/state'),
    (file) => file.in('findWork').operation('!==', 'openUntil').replace('one.openUntil === null'),
    ONLY_SQLITE,
  ),
  defect(
    'purge-open',
    'the purge ignores the orders of a checkout',
    sql('store/purge'),
    (file) =>
      file
        .in('deleteCheckouts')
        .operation('&&', 'has_order')
        .replace('Number(expires_at) < (opened_at === null ? unopenedBefore : before)'),
    ONLY_SQLITE,
  ),
  defect(
    'purge-limit-swapped',
    'the purge swaps its two limits',
    sql('store/purge'),
    (file) =>
      file
        .in('deleteCheckouts')
        .find('limits', ({ type }) => type === 'ConditionalExpression', 0)
        .replace('(opened_at === null ? before + 864_000_000 : unopenedBefore + 86_400)'),
    ONLY_SQLITE,
  ),
  defect(
    'busy-not-retried',
    'a locked database is an error at once',
    sql('transactions/sqliteTransactions'),
    (file) => file.in('retryTransaction').condition('isBusy').replace('true'),
    ONLY_SQLITE,
  ),
  defect(
    'no-rollback',
    'a failed transaction is not rolled back',
    sql('transactions/sqliteTransactions'),
    (file) => file.in('withImmediateTransaction').handler('catch').replace('{ throw error; }'),
    ONLY_SQLITE,
  ),
  defect(
    'no-transaction',
    'records are written without a transaction',
    sql('transactions/sqliteTransactions'),
    (file) => file.in('withImmediateTransaction').call('execute', 1).replace('Promise.resolve()'),
    ONLY_SQLITE,
  ),
  defect(
    'work-no-limit',
    'a callback that hangs in a transaction holds the database for ever',
    sql('transactions/runCallback'),
    (file) => file.call('withTimeLimit').replace('run()'),
    ONLY_SQLITE,
  ),
  defect(
    'queue-no-limit',
    'a query waits for the connection for ever',
    'src/server/internal/concurrencyLimit.ts',
    (file) =>
      file.in('waitForTurn').call('setTimeout').replace('runtime.setTimeout(() => {}, 2 ** 30)'),
    {
      ...ONLY_SQLITE,
      hidden: 'the time limit of the transaction that has the connection ends first',
    },
  ),
  defect(
    'limit-timer-leak',
    'a time limit is not cleared',
    'src/server/internal/withTimeLimit.ts',
    (file) => file.in('withTimeLimit').call('clearTimeout').replace('undefined'),
  ),

  defect(
    'resolution-not-in-change',
    'a pending change does not get the resolution of its order',
    sql('store/support'),
    (file) => file.in('resolveOrder').call('resolvePendingChanges').replace('undefined'),
    ONLY_SQLITE,
  ),

  // Erasing a user
  defect(
    'erase-undelivered',
    'a user is erased before the order is delivered',
    sql('store/erasure'),
    (file) => file.in('isNeeded').operation('||', 'isPending', -1).replace('false'),
    ONLY_SQLITE,
  ),
  defect(
    'erase-open',
    'a checkout that may still be paid is erased at once',
    sql('store/erasure'),
    (file) => file.in('isNeeded').operation('>=', 'expiresAt').replace('false'),
    {
      ...ONLY_SQLITE,
      hidden: 'the order of an erased checkout is reviewed, so a person sees it',
    },
  ),
  defect(
    'erase-never-finished',
    'a finished checkout is left for ever',
    sql('store/erasure'),
    (file) => file.in('eraseSubject').call('isNeeded').replace('true'),
    ONLY_SQLITE,
  ),
  defect(
    'erase-others',
    'an erasure takes the checkouts of others too',
    sql('store/erasure'),
    (file) => {
      const erase = file.in('eraseSubject');
      erase.find('=', ({ type, value }) => type === 'Literal' && value === '=').replace("'<>'");
      erase.call('toKey').replace("''");
      erase.operation('===', 'checkout').replace('true');
    },
    ONLY_SQLITE,
  ),
];
