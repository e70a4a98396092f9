import { configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { forgetPurchases } from '../../../src/client/checkout/purchases.js';

// The default of one second is too short for slow CI machines.
configure({ asyncUtilTimeout: 5000 });

// The tests of a file share a page, which remembers the windows that are open and the checkouts that may be paid. This
// hook runs after those of the file, which unmount its buttons.
afterEach(() => forgetPurchases());

// All files of a worker share a tab, and so its storage, which keeps the checkouts that a test opened or dismissed.
beforeEach(() => sessionStorage.clear());
