import type { ViewHandle } from './ViewHandle.js';
import type { ViewRequest } from './ViewRequest.js';

/** A blocked window leaves a link. It carries a signature, so it goes away when that has aged. */
export function showBlockedLink({ signatureTtlMs, onEnd }: ViewRequest): ViewHandle {
  const expiry =
    signatureTtlMs < Number.POSITIVE_INFINITY ? setTimeout(onEnd, signatureTtlMs) : undefined;
  const remove = () => clearTimeout(expiry);
  return { isOpen: () => false, focus() {}, remove, detach: remove };
}
