// Defects from incidents that payment systems and their databases had in public. Each changes one source file, at a
// place that it finds in the syntax tree.
export const incidents = [
  // Retry storm: jitter is added after the backoff was capped. The store ignores a delay beyond the cap, because only a
  // clock that was ahead should cause one. So the shop is called every two seconds while it is down.
  {
    id: 'incident-jitter-beyond-cap',
    what: 'jitter lifts the backoff of a delivery above its cap, so that it is due at once',
    file: 'src/server/orders/tracker/deliverChanges.ts',
    plant: (file) =>
      file
        .in('deliverChange')
        .call('getBackoffSeconds')
        .replace('Math.round(getBackoffSeconds(tries) * (1 + runtime.random() / 2))'),
  },

  // Seconds taken for milliseconds: a client that is told to wait for 30 seconds tries again at once, and keeps an
  // overloaded service down.
  {
    id: 'incident-retry-after-in-ms',
    what: 'the seconds of Retry-After count as milliseconds',
    file: 'src/server/partner-api/request.ts',
    plant: (file) => file.in('parseRetryAfter').operation('*', 'value').replace('Number(value)'),
  },

  // Lost update of a read-modify-write: a record is read before the lock and written as a whole under it. A state that
  // a sync recorded in between is overwritten.
  {
    id: 'incident-resolve-lost-update',
    what: 'an order is resolved with a record that was read before the write lock',
    file: 'src/server/sql/store/support.ts',
    store: 'sqlite',
    plant: (file) =>
      file
        .in('resolveOrder')
        .call('withWriteLock')
        .statement.replace(`
        const key = toKey(orderId);
        const found = await database.db
          .selectFrom('ramp_orders')
          .select('record')
          .where('order_id', '=', key)
          .executeTakeFirst();
        if (!found) return undefined;
        const stored = JSON.parse(found.record);
        if ((stored.resolution ?? null) === resolution) return {};
        const record = withResolution(stored, resolution);
        await withWriteLock(database, async (db) => {
          await db
            .updateTable('ramp_orders')
            .set({ record: JSON.stringify(record) })
            .where('order_id', '=', key)
            .execute();
        });
        return {};`),
  },

  // GDPR erasure races with a delivery: the check for open work looks only at the newest state of an order. The shop
  // still gets an older change, of a checkout that has lost its subject and metadata.
  {
    id: 'incident-erase-before-retry',
    what: 'an erasure does not see the undelivered change of an earlier state',
    file: 'src/server/sql/store/erasure.ts',
    store: 'sqlite',
    plant: (file) =>
      file
        .in('readCheckouts')
        .call('toChangeKeys', 0)
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the template is planted as code
        .replace('[`${record.order.orderId}:${record.order.state}`]'),
  },

  // Negative result cached: "not paid" is remembered, to spare the service the clicks of impatient shoppers. A shopper
  // who pays meanwhile gets a second signature, and pays twice.
  {
    id: 'incident-unpaid-cached',
    what: 'the check for orders of a checkout is skipped for 30 seconds after it found none',
    file: 'src/server/handler/orderCheck.ts',
    plant: (file) => {
      file.value('running', 0).statement.after('const checkedAt = new Map();');
      const check = file.find(
        'the returned check',
        (node, [parent]) =>
          node.type === 'ArrowFunctionExpression' &&
          node.async &&
          parent?.type === 'ReturnStatement',
      );
      check
        .value('since')
        .statement.before(
          'if (runtime.monotonic() - (checkedAt.get(checkout.reference) ?? -Infinity) < 30_000) return;',
        );
      check
        .call('withTimeLimit')
        .statement.after('checkedAt.set(checkout.reference, runtime.monotonic());');
    },
  },

  // Connection pool leak: a waiter that gives up stays in the queue. The next free slot goes to it, and never returns,
  // so one slow minute ends all work until a restart.
  {
    id: 'incident-slot-to-dead-waiter',
    what: 'a caller that gave up waiting gets the next slot of a concurrency limit, and keeps it',
    file: 'src/server/internal/concurrencyLimit.ts',
    store: 'sqlite',
    plant: (file) => {
      file.in('leaveQueue').call('delete').statement.remove();
      file.in('startWork').call('leaveQueue').statement.before('waiting.delete(startWork);');
    },
  },
];
