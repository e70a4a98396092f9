/** A piece of lazy code. */
export interface CodeLoader<Code> {
  /** Loads the code, or returns it if it is loaded. */
  load(): Promise<Code>;
  /**
   * Loads the code before it is needed. Resolves with `undefined` if it could not be loaded, or if the browser says
   * that it is offline: Chromium never requests a module again after a failed import(), so a later click would fail
   * too.
   *
   * `load` does not ask, because behind some VPNs the browser says so although the shop can be reached.
   */
  preload(): Promise<Code | undefined>;
}

/**
 * Creates a loader that imports the code once for the page, because another import() at each click would delay the
 * click by a frame. A failed import is tried again.
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
