import { render } from '@testing-library/react';
import { describe } from 'vitest';
import { CheckoutStatus, OnRampButton } from '../../src/index.js';
import '../support/on-ramp-button.js';
import { itShows } from './itShows.js';
import { printed } from './printed.js';

// In a file of its own: a finding about props is printed once in each page.
describe('the console of a page without a RampProvider', () => {
  itShows(16, () => printed(() => render(<OnRampButton />)));
  itShows(43, () => printed(() => render(<CheckoutStatus reference="r1" />)));
});
