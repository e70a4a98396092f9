import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { processRuntime } from '../../../../src/server/internal/runtime.js';
import { sqlOrderStore } from '../../../../src/server/sql/index.js';
import { toSqlDatabase } from '../../../../src/server/sql/toSqlDatabase.js';
import { withWriteLock } from '../../../../src/server/sql/transactions/withWriteLock.js';
import { sqlDatabases } from '../../../support/database/sqlDatabases.js';
import { baseTime, onRampOrder } from '../../../support/server/orderFixtures.js';

describe.each(sqlDatabases)('withWriteLock on %s', (_, empty) => {
  it('waits for other writers, so that no id becomes visible before a lower one', async () => {
    const { connect } = await empty();
    const store = sqlOrderStore(connect());
    expect(await store.lastEventId()).toBe(0);
    let end = () => {};
    let begun = () => {};
    const isAtIt = new Promise<void>((done) => {
      begun = done;
    });
    const first = withWriteLock(
      toSqlDatabase(connect(), {}, processRuntime),
      () =>
        new Promise<void>((done) => {
          end = done;
          begun();
        }),
    );
    await isAtIt;
    let isWritten = false;
    const second = store.recordOrders([onRampOrder()], baseTime).then(() => {
      isWritten = true;
    });
    await wait(300);
    expect(isWritten).toBe(false);
    end();
    await Promise.all([first, second]);
    expect(await store.listEventsAfter(0, 10)).toHaveLength(1);
  });
});
