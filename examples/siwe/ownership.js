// Sign-In with Ethereum (EIP-4361): proves that the user of a session controls a wallet. Nothing here is about
// checkouts, so you can copy this file as it is. docs/ownership.md explains each check.
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import * as viem from 'viem';
import { createSiweMessage, parseSiweMessage, validateSiweMessage } from 'viem/siwe';

const refusals = {
  malformed: 'This is not a sign-in message of this shop. Reload the page and sign again.',
  domain: 'This message was signed for another site. Reload the page and sign again.',
  chain: 'Your wallet is on a network that this shop does not sell on. Switch it and sign again.',
  nonce: 'This message was already used, or belongs to another session. Sign again.',
  time: 'This message has expired, or is not valid yet. Sign again.',
  signature: 'This signature is not one of that wallet. Sign with the wallet that you connected.',
  unavailable: 'The network of your wallet does not respond. Sign again in a minute.',
};

/** A refused proof. `reason` is a key of the texts above, and the message is for the user. */
export class OwnershipError extends Error {
  name = 'OwnershipError';
  constructor(reason, options) {
    super(refusals[reason], options);
    this.reason = reason;
  }
}

const NONCE_SECONDS = 300;
/** How far ahead of this server's clock a message may be issued. */
const SKEW_SECONDS = 60;
const MAX_MESSAGE = 2048;
/** Enough for a contract wallet that is not deployed yet, whose signature contains its deployment (ERC-6492). */
const MAX_SIGNATURE = 16_384;

const hash = (id) => createHash('sha256').update(id).digest('hex');
const toSeconds = (date) => Math.floor(date.getTime() / 1000);

/**
 * @param origins - The origins of your pages. A message must name one of them, as its domain and as its URI.
 * @param chains - The names that `chooseWallet` uses for the chains you sell on, by chain ID: `{ 1: 'ethereum' }`.
 * @param clients - Viem's public clients by chain ID. Contract wallets of other chains are refused.
 * @param proofSeconds - How long a proof is valid. Then the user must sign again.
 */
export async function createOwnership(options) {
  const { db, origins, chains, clients = {}, proofSeconds = 3600, now = Date.now } = options;
  const getSeconds = () => Math.floor(now() / 1000);
  await sql`create table if not exists wallet_sessions (id text primary key, nonce text,
    nonce_from bigint, nonce_until bigint, subject text, proof text, until bigint not null)`.execute(
    db,
  );
  await sql`create index if not exists wallet_sessions_until on wallet_sessions (until)`.execute(
    db,
  );

  /** Begins a sign-in. Returns the session's id for a cookie, and what the page must put into its message. */
  async function begin(session) {
    const at = getSeconds();
    await sql`delete from wallet_sessions where until <= ${at}`.execute(db);
    // Not viem's generateSiweNonce(), because its Math.random() can be predicted.
    const nonce = randomBytes(16).toString('hex');
    const until = at + NONCE_SECONDS;
    // A session that is signed in stays so until the new proof replaces the old one.
    const renewed = session
      ? await sql`update wallet_sessions set nonce = ${nonce}, nonce_from = ${at}, nonce_until = ${until},
          until = case when until < ${until} then ${until} else until end
          where id = ${hash(session)}`.execute(db)
      : undefined;
    const id = renewed?.numAffectedRows ? session : randomBytes(32).toString('base64url');
    // Never create a session with an id that a client chose: somebody else may have set it.
    if (id !== session)
      await sql`insert into wallet_sessions (id, nonce, nonce_from, nonce_until, until)
        values (${hash(id)}, ${nonce}, ${at}, ${until}, ${until})`.execute(db);
    return {
      session: id,
      nonce,
      issuedAt: new Date(at * 1000).toISOString(),
      expirationTime: new Date((at + proofSeconds) * 1000).toISOString(),
    };
  }

  /**
   * Verifies a signed message, and binds its address to the session. Returns the new id of the session, for the cookie.
   *
   * @throws OwnershipError
   */
  async function prove(session, { message, signature } = {}) {
    if (typeof message !== 'string' || message.length > MAX_MESSAGE) refuse('malformed');
    if (!viem.isHex(signature) || signature.length > MAX_SIGNATURE) refuse('malformed');
    const fields = readMessage(message);
    const at = getSeconds();
    const issuedAt = await spendNonce(session, fields.nonce, at);
    if (!origins.some((origin) => isFor(origin, fields))) refuse('domain');
    if (!Object.hasOwn(chains, fields.chainId)) refuse('chain');
    if (!isInTime(fields, issuedAt, at)) refuse('time');
    const proof = { message, verifiedAt: at, ...(await verify(fields, message, signature)) };
    const { id: subject } = toOwner(proof);
    // The session changes, so that nobody who knew the old one is signed in now.
    const next = randomBytes(32).toString('base64url');
    const moved = await sql`update wallet_sessions set id = ${hash(next)}, subject = ${subject},
      proof = ${JSON.stringify(proof)}, until = ${toSeconds(fields.expirationTime)}
      where id = ${hash(session)}`.execute(db);
    if (!moved.numAffectedRows) refuse('nonce');
    return { session: next, address: fields.address };
  }

  /** Marks the nonce as used, even if the rest of the message is refused later. Returns when it was issued. */
  async function spendNonce(session, nonce, at) {
    if (!session) refuse('nonce');
    const used = await sql`update wallet_sessions set nonce = null
      where id = ${hash(session)} and nonce = ${nonce} and nonce_until > ${at}
      returning nonce_from`.execute(db);
    if (used.rows.length === 0) refuse('nonce');
    return Number(used.rows[0].nonce_from);
  }

  function isInTime(fields, issuedFrom, at) {
    const { issuedAt, expirationTime } = fields;
    return (
      // Viem accepts a message without an expiry.
      expirationTime !== undefined &&
      validateSiweMessage({ message: fields, time: new Date(at * 1000) }) &&
      toSeconds(expirationTime) <= at + proofSeconds &&
      toSeconds(issuedAt) >= issuedFrom - SKEW_SECONDS &&
      toSeconds(issuedAt) <= at + SKEW_SECONDS
    );
  }

  async function verify({ address, chainId, domain, nonce }, message, signature) {
    const isKey = await viem.verifyMessage({ address, message, signature }).catch(() => false);
    if (isKey) return { signer: 'key', signature };
    const client = Object.hasOwn(clients, chainId) ? clients[chainId] : undefined;
    if (!client) refuse('signature');
    // Viem reports a failed request of the next step as a wrong signature, so find out first whether the chain responds.
    const [blockNumber, code] = await client
      .getBlockNumber({ cacheTime: 0 })
      .then(async (block) => [block, await client.getCode({ address, blockNumber: block })])
      .catch((cause) => refuse('unavailable', { cause }));
    const isWrapped = viem.isErc6492Signature(signature);
    if (!code && !isWrapped) refuse('signature');
    if (viem.isErc8010Signature(signature)) refuse('signature');
    // The wrapper contains calls that run before the verification. A deployed wallet doesn't need them.
    const used = code && isWrapped ? viem.parseErc6492Signature(signature).signature : signature;
    const terms = { message, signature: used, address, domain, nonce, blockNumber };
    const time = new Date(now());
    if (!(await client.verifySiweMessage({ ...terms, time }))) refuse('signature');
    // A contract may have other owners later. The block is the one at which the signature is valid.
    return { signer: 'contract', signature: used, blockNumber: String(blockNumber) };
  }

  function toOwner(proof) {
    const { address, chainId } = parseSiweMessage(proof.message);
    // A key has the same address on all EVM chains. A contract of this address may belong to others elsewhere.
    return proof.signer === 'key'
      ? { id: address, address, wallets: { evm: address }, proof }
      : {
          id: `eip155:${chainId}:${address}`,
          address,
          wallets: { [chains[chainId]]: address },
          proof,
        };
  }

  return {
    begin,
    prove,
    /** Returns the wallet that the session has proved: `{ id, address, wallets, proof }`, or undefined. */
    async find(session) {
      if (!session) return undefined;
      const found = await sql`select proof from wallet_sessions
        where id = ${hash(session)} and until > ${getSeconds()} and proof is not null`.execute(db);
      return found.rows[0] && toOwner(JSON.parse(found.rows[0].proof));
    },
    async end(session) {
      await sql`delete from wallet_sessions where id = ${hash(session)}`.execute(db);
    },
    /** Ends all sessions of a subject, and deletes their proofs. */
    async endAll(subject) {
      await sql`delete from wallet_sessions where subject = ${subject}`.execute(db);
    },
  };
}

function refuse(reason, options) {
  throw new OwnershipError(reason, options);
}

/** Returns the fields of a message, which must be exactly the text that viem writes for these fields. */
function readMessage(message) {
  const fields = parseSiweMessage(message);
  try {
    if (createSiweMessage(fields) === message) return fields;
  } catch {
    // A field is missing or malformed.
  }
  return refuse('malformed');
}

function isFor(origin, { scheme, domain, uri }) {
  const { host, protocol } = new URL(origin);
  return domain === host && uri === origin && (scheme === undefined || `${scheme}:` === protocol);
}
