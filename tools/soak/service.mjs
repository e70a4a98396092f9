// The process of the service: the sandbox with all quirks. After `setFaulty(true)`, 60 % of the API requests and half
// of the webhooks get a random fault from the lists below.
import { Server } from 'node:http';
import { startSandbox } from '@partner-ramp/react/sandbox';
import { createRandom } from './createRandom.mjs';
import { serveParent } from './messages.mjs';

/** The delay of a slow response. The shop's API client waits only 3000 ms. */
const SLOW_MS = 4000;

const webhookFaults = [
  'lost',
  'late',
  'twice',
  'out-of-order',
  'forged-body',
  'wrong-signature',
  'old-timestamp',
];
const apiFaults = {
  unavailable: (_request, response) => response.writeHead(503).end('busy'),
  broken: (_request, response) => response.writeHead(500).end('{"code":'),
  reset: (request) => request.socket.destroy(),
  truncated(request, response) {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 });
    response.write('{"code":10000,', () => request.socket.destroy());
  },
  slow(_request, _response, proceed) {
    setTimeout(proceed, SLOW_MS);
  },
};

const random = createRandom(2);
const pick = (list) => list[Math.floor(random() * list.length)];
const counts = {};
const count = (name) => {
  counts[name] = (counts[name] ?? 0) + 1;
};
let isFaulty = false;
let sandbox;

// Inject the faults into the sandbox's server. A proxy could not inject them: the shop would sign requests for the
// address of the proxy, and the sandbox would refuse these requests.
const emit = Server.prototype.emit;
Server.prototype.emit = function (event, ...given) {
  const proceed = () => emit.call(this, event, ...given);
  const [request, response] = given;
  if (event !== 'request' || !request.url.startsWith('/open/api/')) return proceed();
  count('API requests');
  if (!isFaulty || random() < 0.4) return proceed();
  const fault = pick(Object.keys(apiFaults));
  count(`API ${fault}`);
  apiFaults[fault](request, response, proceed);
  return true;
};

function webhookFault() {
  count('webhooks');
  if (!isFaulty || random() < 0.5) return undefined;
  const fault = pick(webhookFaults);
  count(`webhook ${fault}`);
  return fault;
}

serveParent({
  async start({ webhookUrl }) {
    sandbox = await startSandbox({
      ...{ webhookUrl, webhookFault, quirks: true },
      log: () => count('webhooks not accepted'),
    });
    const { widgetUrl, baseUrl, partnerId, secretKey, apiPrivateKey, webhookPublicKey } = sandbox;
    return { widgetUrl, baseUrl, partnerId, secretKey, apiPrivateKey, webhookPublicKey };
  },
  setFaulty(value) {
    isFaulty = value;
  },
  /**
   * Returns all finished orders, and the numbers of API requests, of webhooks, of webhooks that were not accepted, and
   * of injected faults of each kind.
   */
  report: () => ({
    counts,
    orders: sandbox.orders().map(({ orderId, ext }) => ({ orderId, reference: ext })),
  }),
});
