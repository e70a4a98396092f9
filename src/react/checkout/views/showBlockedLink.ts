import type { ViewHandle } from './ViewHandle.js';
import type { ViewRequest } from './ViewRequest.js';

/** Replaces a blocked window with a link. The link contains a signature, so it is removed when that expires. */
export function showBlockedLink({ signatureTtlMs, onEnd }: ViewRequest): ViewHandle {
  const expiry =
    signatureTtlMs < Number.POSITIVE_INFINITY ? setTimeout(onEnd, signatureTtlMs) : undefined;
  const remove = () => clearTimeout(expiry);
  return { isOpen: () => false, focus() {}, remove, detach: remove };
}
