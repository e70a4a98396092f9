import { isRampError } from '../../protocol/errors/isRampError.js';
import { createConfigError, RampError } from '../../protocol/errors/RampError.js';
import type { Runtime } from '../internal/runtime.js';
import { withTimeLimit } from '../internal/withTimeLimit.js';

/**
 * Signs a message with a key that this process does not have, such as one in a key management service. It returns the
 * bytes of the signature, not base64.
 */
export type SignMessage = (message: Uint8Array) => Uint8Array | Promise<Uint8Array>;

interface ExternalKey {
  /** The option that holds the function. */
  readonly name: string;
  /** The length of the shortest signature. */
  readonly minBytes: number;
  readonly runtime: Runtime;
  readonly signal?: AbortSignal | undefined;
}

const LIMIT_MS = 3000;

/**
 * Calls the partner's signing function, and returns its signature as standard base64.
 *
 * @throws RampError `ERR_TIMEOUT` after 3 seconds, `ERR_CONFIG_INVALID` when it returns anything but a signature,
 * `ERR_INTERNAL` with the cause when it fails.
 * @throws the reason of `signal` when it is aborted.
 */
export async function signExternally(
  text: string,
  sign: SignMessage,
  { name, minBytes, runtime, signal }: ExternalKey,
): Promise<string> {
  const onTimeout = () => {
    throw new RampError(
      'ERR_TIMEOUT',
      `The function ${name} did not sign within ${LIMIT_MS} ms. Check that the service that has the key responds.`,
    );
  };
  try {
    const signature: unknown = await withTimeLimit<unknown>(
      { runtime, limitMs: LIMIT_MS, onTimeout, signal },
      async () => sign(Buffer.from(text, 'utf8')),
    );
    return Buffer.from(parseSignature(signature, name, minBytes)).toString('base64');
  } catch (cause) {
    signal?.throwIfAborted();
    if (isRampError(cause)) throw cause;
    throw new RampError('ERR_INTERNAL', `The function ${name} failed to sign: see the cause.`, {
      cause,
    });
  }
}

function parseSignature(signature: unknown, name: string, minBytes: number): Uint8Array {
  // Do not check the class: the bytes may come from another realm.
  const isBytes = ArrayBuffer.isView(signature) && 'byteLength' in signature;
  if (!isBytes)
    throw createConfigError(
      name,
      `returned ${typeof signature}: it must return the bytes of the signature as a Uint8Array, not base64.`,
    );
  const { buffer, byteOffset, byteLength } = signature;
  if (byteLength < minBytes)
    throw createConfigError(
      name,
      `returned ${byteLength} bytes: a signature of this kind has ${minBytes} or more.`,
    );
  return new Uint8Array(buffer, byteOffset, byteLength);
}
