import type { IncomingMessage, ServerResponse } from 'node:http';

/** The fields of a listed order that tests set. The other fields have fixed values. */
export interface ListedOrder {
  readonly orderId: string;
  readonly finishTime: number;
  readonly orderStatus?: number;
  readonly ext?: string;
  readonly nftDetails?: readonly object[];
  readonly walletAddress?: string;
  /** Fields that replace valid ones, to make the order malformed. */
  readonly broken?: Readonly<Record<string, unknown>>;
}

const toWireOrder = ({ orderStatus = 3, ext = '', broken, ...order }: ListedOrder) => ({
  payTime: order.finishTime - 60,
  deliverTime: order.finishTime - 30,
  fiatCurrency: 'USD',
  currencyAmount: 100,
  cryptoCurrency: 'USDT',
  cryptoCurrencyCode: 'USDT_ERC20',
  cryptoCurrencyAmount: '97.09000000',
  walletAddress: '0xabc0000000000000000000000000000000000001',
  txHash: `0x${order.orderId}`,
  network: 'ethereum_mainnet',
  blockchainExplorer: 'https://explorer.example/tx/',
  ...order,
  orderStatus,
  ext,
  ...broken,
});

/**
 * Creates the order list of a service (service interface, section 4.5). A request gets a page of the orders
 * that finished in its range, sorted by finish time. If `fails` returns true, the request fails.
 */
export function fakeOrderList(orders: readonly ListedOrder[], fails: () => boolean = () => false) {
  const list = {
    /** Tests may add orders at any time. */
    orders: [...orders],
    requests: 0,
    failures: 0,
    answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
      list.requests++;
      if (fails()) {
        list.failures++;
        if (list.failures % 2) response.writeHead(503).end('busy');
        else response.destroy();
        return;
      }
      const query = new URL(url, 'http://service').searchParams;
      const [from = 0, to = 0, page = 1, size = 20] = ['startTime', 'endTime', 'page', 'size'].map(
        (name) => Number(query.get(name)),
      );
      const found = list.orders
        .filter(({ finishTime }) => finishTime >= from && finishTime <= to)
        .sort((a, b) => a.finishTime - b.finishTime || (a.orderId < b.orderId ? -1 : 1));
      const data = {
        page,
        size,
        totalCount: found.length,
        list: found.slice((page - 1) * size, page * size).map(toWireOrder),
      };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ code: 10000, msg: 'success', data }));
    },
  };
  return list;
}
