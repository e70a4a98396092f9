/** A piece of lazy code. */
export interface CodeLoader<Code> {
  /** Loads the code, or returns it if it is loaded. */
  load(): Promise<Code>;
  /**
   * Loads the code before it is needed. Resolves with `undefined` if loading fails, or without trying if the browser
   * reports that it is offline. Chromium never requests a module again after a failed import(), so trying while offline
   * would make a later click fail too.
   *
   * `load` always tries, because some VPNs make the browser report that it is offline even though the shop can be
   * reached.
   */
  preload(): Promise<Code | undefined>;
}

/**
 * Creates a loader that imports the code once per page, because an import() on every click would delay each click by a
 * frame. A failed import is tried again.
 */
export function createCodeLoader<Code>(importCode: () => Promise<Code>): CodeLoader<Code> {
  let code: Promise<Code> | undefined;
  const load = () => {
    code ||= importCode().catch((cause) => {
      code = undefined;
      throw cause;
    });
    return code;
  };
  return {
    load,
    async preload() {
      return navigator.onLine === false ? undefined : load().catch(() => undefined);
    },
  };
}
