import { vi } from 'vitest';
import type { HandlerTracker } from '../../../src/server/handler/options.js';
import type { SyncRun } from '../../../src/server/orders/tracker/runSync.js';

/** Creates a tracker for a handler that does nothing but note its calls. */
export const createFakeTracker = () =>
  ({
    sync: vi.fn(async (_?: object): Promise<SyncRun> => ({ ran: false })),
    requestSync: vi.fn(async () => {}),
    checkoutGranted: vi.fn(),
    syncForCheckout: vi.fn(async () => {}),
    ordersRecorded: vi.fn(),
  }) satisfies HandlerTracker;
