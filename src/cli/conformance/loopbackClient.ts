import { lookup } from 'node:dns/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { BlockList, connect, isIP, type LookupFunction } from 'node:net';
import { UsageError } from '../Command.js';

/** A network address of a host name. */
interface Address {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** Returns every address of a host name. */
export type Resolve = (hostname: string) => Promise<readonly Address[]>;

export interface Message {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A client of one server on this machine. */
export interface LoopbackClient {
  readonly url: URL;
  /** The path of `url`, without a trailing slash. */
  readonly basePath: string;
  /** Sends a request to a path on the server, which begins with a slash. Does not follow redirects. */
  send(path: string, message?: Message): Promise<Reply>;
  /** Returns whether a program listens at the address. */
  isListening(): Promise<boolean>;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const TIMEOUT_MS = 20_000;
/** The maximum length of a body. */
const MAX_TEXT = 1_000_000;

/**
 * Creates a client that connects to this machine only. The name is resolved only once, here. If it leads elsewhere
 * later (DNS rebinding), connections do not follow it.
 *
 * @throws UsageError for a URL that is not `http:`, or that has an address outside loopback.
 */
export async function createLoopbackClient(
  address: string,
  resolve: Resolve = (hostname) => lookup(hostname, { all: true }),
): Promise<LoopbackClient> {
  const url = parseUrl(address);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await findAddresses(hostname, resolve);
  const foreign = addresses.find((each) => !isLoopback(each));
  const [first] = addresses;
  if (foreign)
    throw new UsageError(
      `${url.hostname} leads to ${foreign.address}, which is not this machine. Only a backend on loopback is tested, because the tests place orders and send forged requests.`,
    );
  if (!first) throw new UsageError(`${url.hostname} has no address. Use 127.0.0.1.`);
  const useAddresses: LookupFunction = (_, options, done) =>
    options.all ? done(null, [...addresses]) : done(null, first.address, first.family);
  const { port } = url;
  const open = (path: string, { method = 'GET', headers = {}, body }: Message) =>
    new Promise<IncomingMessage>((done, fail) => {
      const length = body === undefined ? {} : { 'Content-Length': `${Buffer.byteLength(body)}` };
      const sent = request(
        `${url.origin}${path}`,
        { method, headers: { ...headers, ...length }, lookup: useAddresses, agent: false },
        done,
      );
      sent.setTimeout(TIMEOUT_MS, () =>
        sent.destroy(new Error(`No response within ${TIMEOUT_MS / 1000} seconds.`)),
      );
      sent.on('error', fail);
      sent.end(body);
    });

  return {
    url,
    basePath: url.pathname.replace(/\/+$/, ''),
    async send(path, message = {}) {
      const response = await open(path, message);
      const { statusCode: status = 0, headers } = response;
      return { status, headers, text: await readText(response) };
    },
    isListening: () =>
      new Promise((done) => {
        const socket = connect({ host: hostname, port: Number(port || 80), lookup: useAddresses });
        socket.on('connect', () => done(true)).on('error', () => done(false));
        socket.on('connect', () => socket.destroy());
      }),
  };
}

/** Reads a whole body. */
async function readText(body: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAX_TEXT) throw new Error('The response is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parseUrl(address: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(address);
  } catch {}
  if (url?.protocol !== 'http:' || url.search || url.hash || url.username || url.password)
    throw new UsageError(
      'The address of a backend is http: without query, fragment and credentials, such as http://127.0.0.1:8000/api/ramp.',
    );
  return url;
}

async function findAddresses(hostname: string, resolve: Resolve): Promise<readonly Address[]> {
  const family = isIP(hostname);
  if (family !== 0) return [{ address: hostname, family }];
  try {
    return await resolve(hostname);
  } catch (cause) {
    throw new UsageError(`${hostname} is not found. Use 127.0.0.1.`, { cause });
  }
}

const isLoopback = ({ address, family }: Address): boolean =>
  loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
