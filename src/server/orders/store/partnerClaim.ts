import { createConfigError } from '../../../protocol/errors/RampError.js';
import { isLoopback } from '../../../protocol/parseServiceUrl.js';
import type { PartnerApi } from '../../partner-api/createPartnerApi.js';
import type { OrderStore, StorePartner } from './OrderStore.js';

/** The settings that identify the partner of a handler or a tracker. */
interface PartnerSource {
  readonly partnerId?: string | undefined;
  readonly api?: Partial<Pick<PartnerApi, 'partnerId' | 'baseUrl'>> | undefined;
}

/**
 * Returns a function that claims the store for a partner and an environment, and refuses a store that belongs to
 * another. Two partners on one store would share the sync state, so one partner's list would never be read, and a paid
 * checkout would be signed again.
 *
 * @param owner - The function that received the store, for the message.
 * @returns A function that rejects with `ERR_CONFIG_INVALID`, and with the errors of the store.
 */
export function createPartnerClaim(
  owner: string,
  store: Pick<OrderStore, 'claimPartner'>,
  source: PartnerSource,
): () => Promise<void> {
  const own = findPartner(source);
  let claimed: Promise<void> | undefined;
  const claim = async () => {
    if (own.partnerId === undefined && own.environment === undefined) return;
    const known = await store.claimPartner(own);
    const isSame = (name: keyof StorePartner) =>
      own[name] === undefined || known[name] === undefined || own[name] === known[name];
    if (isSame('partnerId') && isSame('environment')) return;
    throw createConfigError(
      owner,
      "has the store of another partner or environment, and the two would hide each other's orders. Give each partner ID and each environment a database of its own. If your partner ID or the address of the service has changed, run this once: update ramp_state set partner_id = null, environment = null.",
    );
  };
  return () => {
    claimed ??= claim().catch((error) => {
      // Let the next call try again.
      claimed = undefined;
      throw error;
    });
    return claimed;
  };
}

function findPartner({ partnerId, api }: PartnerSource): StorePartner {
  const url = api?.baseUrl === undefined ? undefined : new URL(api.baseUrl);
  return {
    partnerId: partnerId ?? api?.partnerId,
    // A sandbox may use a different port each time.
    environment: url && (isLoopback(url) ? 'loopback' : url.host),
  };
}
