import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../scripts/ports.mjs';
import { programs } from './requireWebKit.js';

/** The name under which WebDriver returns the ID of an element (W3C WebDriver, section 12). */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf';
const TIMEOUT_MS = 30_000;

/** A browser window of WebKit, driven over WebDriver. Locators are XPath expressions. */
export interface WebKitWindow {
  open(url: string): Promise<void>;
  /** Waits for an element in the current frame. */
  find(xpath: string): Promise<string>;
  click(xpath: string): Promise<void>;
  type(xpath: string, text: string): Promise<void>;
  /** Moves to the frame at `xpath`. `leaveFrame` moves back to the page. */
  enterFrame(xpath: string): Promise<void>;
  leaveFrame(): Promise<void>;
  /** Waits for the window that the page has opened, and moves to it. `leaveWindow` closes it, and moves back. */
  enterWindow(): Promise<void>;
  leaveWindow(): Promise<void>;
  back(): Promise<void>;
  /** Runs the body of a function in the current frame, and returns its result. */
  evaluate<T>(body: string): Promise<T>;
  close(): Promise<void>;
}

/** A program with a web view, which the driver starts in place of WebKit's own browser. */
interface WebKitProgram {
  readonly binary: string;
  readonly args: readonly string[];
}

/** Starts a virtual display, WebKit's driver and a window. */
export async function startWebKit(program?: WebKitProgram): Promise<WebKitWindow> {
  const processes: ChildProcess[] = [];
  const stop = async () => {
    for (const child of processes.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  };
  try {
    const display = await startDisplay(processes);
    const port = await findFreePort();
    const env = {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      // The display has no graphics card.
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    };
    processes.push(spawn(programs.driver, [`--port=${port}`], { env, stdio: 'ignore' }));
    const driver = `http://127.0.0.1:${port}`;
    await waitUntil('WebKitWebDriver', () =>
      fetch(`${driver}/status`).then(
        (response) => response.ok,
        () => false,
      ),
    );
    const { sessionId } = await send<{ sessionId: string }>(driver, 'POST', '/session', {
      capabilities: { alwaysMatch: program ? { 'webkitgtk:browserOptions': program } : {} },
    });
    return createWindow(`${driver}/session/${sessionId}`, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts Xvfb, which chooses a free display and writes its number. */
async function startDisplay(processes: ChildProcess[]): Promise<string> {
  const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'];
  const child = spawn(programs.display, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  processes.push(child);
  const [number] = await once(child.stdio[3] as NodeJS.ReadableStream, 'data');
  return `:${String(number).trim()}`;
}

function createWindow(session: string, stop: () => Promise<void>): WebKitWindow {
  const post = <T>(path: string, body: object) => send<T>(session, 'POST', path, body);
  const find = (xpath: string) =>
    waitUntil(xpath, () =>
      post<Record<string, string>>('/element', { using: 'xpath', value: xpath }).then(
        (element) => element[ELEMENT_KEY],
        () => undefined,
      ),
    );
  return {
    open: async (url) => void (await post('/url', { url })),
    find,
    async click(xpath) {
      await post(`/element/${await find(xpath)}/click`, {});
    },
    async type(xpath, text) {
      await post(`/element/${await find(xpath)}/value`, { text });
    },
    async enterFrame(xpath) {
      await post('/frame', { id: { [ELEMENT_KEY]: await find(xpath) } });
    },
    leaveFrame: async () => void (await post('/frame', { id: null })),
    async enterWindow() {
      const current = await send<string>(session, 'GET', '/window');
      const handle = await waitUntil('a second window', async () => {
        const handles = await send<string[]>(session, 'GET', '/window/handles');
        return handles.find((other) => other !== current);
      });
      await post('/window', { handle });
    },
    async leaveWindow() {
      const [handle] = await send<string[]>(session, 'DELETE', '/window');
      await post('/window', { handle });
    },
    back: async () => void (await post('/back', {})),
    evaluate: (body) => post('/execute/sync', { script: body, args: [] }),
    async close() {
      await send(session, 'DELETE', '').catch(() => {});
      await stop();
    },
  };
}

/** Sends a WebDriver command, and returns its value. */
async function send<T>(base: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(base + path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
  return value;
}

/** Calls `probe` until it returns a value. `name` is for the error. */
async function waitUntil<T>(name: string, probe: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Not found within ${TIMEOUT_MS} ms: ${name}`);
    await wait(100);
  }
}
