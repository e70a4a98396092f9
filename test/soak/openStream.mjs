import { get } from 'node:http';

const ROUTE = 'GET /api/ramp/checkouts/:reference/events';
/** Returns how long a page stays open: one to three minutes. */
const stayMs = (random) => 60_000 + random() * 120_000;

/**
 * Keeps an event stream open for a visitor, as a page with a checkout does. Reopens a stream that has ended. Opens a
 * new stream after one to three minutes, as if the visitor opened another page.
 *
 * @param onState - Called with each checkout state that the stream receives.
 */
export function openStream({ load, shopUrl, visitor, random, onState }) {
  let reference;
  let lastEventId;
  let call;
  let isOpen = false;
  let isOver = false;
  let timer;

  function connect() {
    clearTimeout(timer);
    const scheduledAt = Date.now();
    const sent = { route: ROUTE, visitor, scheduledAt, wasDown: load.isDown };
    const headers = {
      ...load.headersOf(visitor),
      ...(lastEventId && { 'Last-Event-ID': lastEventId }),
    };
    const path = `/api/ramp/checkouts/${reference}/events`;
    const mine = get(shopUrl + path, { agent: false, headers }, (response) => {
      load.record({ ...sent, status: response.statusCode });
      isOpen = response.statusCode === 200;
      if (isOpen) timer = setTimeout(reconnect, stayMs(random), 0);
      let rest = '';
      response.setEncoding('utf8').on('data', (text) => {
        const events = (rest + text).split('\n\n');
        rest = events.pop();
        for (const event of events) read(event);
      });
      response.on('error', () => {});
      response.once('close', ended);
    });
    call = mine;
    mine.once('error', (error) => {
      if (mine !== call || isOpen) return;
      load.record({ ...sent, code: error.code });
      ended();
    });
    function ended() {
      if (mine !== call) return;
      isOpen = false;
      if (!isOver) reconnect(1000 + random() * 2000);
    }
  }

  function read(event) {
    const field = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1];
    const data = field('data');
    if (!data) return;
    lastEventId = field('id');
    onState(JSON.parse(data));
  }

  function reconnect(inMs) {
    const last = call;
    call = undefined;
    isOpen = false;
    last?.destroy();
    clearTimeout(timer);
    timer = setTimeout(connect, inMs);
  }

  return {
    get isOpen() {
      return isOpen;
    },
    /** Replaces the stream with one of the checkout `next`. */
    show(next) {
      reference = next;
      lastEventId = undefined;
      reconnect(0);
    },
    close() {
      isOver = true;
      clearTimeout(timer);
      call?.destroy();
    },
  };
}
