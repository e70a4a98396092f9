import type { PartnerApi } from '../../../src/server/index.js';

/** Creates an API client of a service that lists nothing. A test replaces the methods that it uses. */
export const createFakeApi = (methods: Partial<PartnerApi> = {}): PartnerApi => ({
  partnerId: 'p1',
  baseUrl: 'https://api.example',
  fiatCurrencies: async () => [],
  cryptoCurrencies: async () => [],
  quote: () => Promise.reject(new Error('This test must not request a quote.')),
  orders: () => Promise.reject(new Error('This test must not request orders.')),
  async *eachOrder() {},
  readOrders: async () => {},
  ...methods,
});
