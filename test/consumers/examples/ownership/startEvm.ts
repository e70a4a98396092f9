import { createRequire } from 'node:module';
import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createAddressFromString } from '@ethereumjs/util';
import { createVM } from '@ethereumjs/vm';
import {
  type Address,
  bytesToHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  type Hex,
  hashMessage,
  hexToBytes,
  keccak256,
  type LocalAccount,
  parseAbi,
  serializeErc6492Signature,
  zeroAddress,
} from 'viem';
import { startSite } from '../../../support/shop/startSite.js';

const require = createRequire(import.meta.url);
const readBytecode = (contract: string): Hex =>
  require(`@safe-global/safe-contracts/build/artifacts/contracts/${contract}.json`).bytecode;

const safeAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function swapOwner(address previous, address old, address next)',
]);
const factoryAbi = parseAbi([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address)',
  'function proxyCreationCode() view returns (bytes)',
]);

/** A contract wallet (Safe 1.4.1, one owner). */
export interface ContractWallet {
  readonly address: Address;
  /** Signs a message as the owner of the wallet. @param by - Another key that signs for the wallet. */
  sign(message: string, by?: LocalAccount): Promise<Hex>;
  /** Signs as `sign` does, and adds the deployment of the wallet (ERC-6492). */
  signUndeployed(message: string): Promise<Hex>;
  /** Deploys the wallet, in a new block. */
  deploy(): Promise<void>;
  /** Replaces the owner, in a new block. */
  changeOwner(next: LocalAccount): Promise<void>;
}

export interface LocalEvm {
  readonly url: string;
  /** How many requests the node has received. */
  requests(): number;
  /** Returns the wallet that `owner` has with this salt. It is not deployed yet. */
  createWallet(owner: LocalAccount, salt?: bigint): Promise<ContractWallet>;
  close(): Promise<void>;
}

/** Starts an EVM in this process, with a JSON-RPC node that serves what a verification of signatures reads. */
export async function startEvm(chainId: number): Promise<LocalEvm> {
  const common = createCustomCommon({ chainId }, Mainnet, { hardfork: 'cancun' });
  const vm = await createVM({ common });
  const deployer = createAddressFromString(`0x${'d'.repeat(40)}`);
  /** The state after each block. */
  const roots = [await vm.stateManager.getStateRoot()];
  let requests = 0;

  async function execute(to: Address | undefined, data: Hex, from = deployer) {
    const target = to && { to: createAddressFromString(to) };
    const call = { caller: from, origin: from, ...target, data: hexToBytes(data) };
    const { createdAddress, execResult } = await vm.evm.runCall({ ...call, gasLimit: 30_000_000n });
    const result = bytesToHex(execResult.returnValue);
    return { result, failed: execResult.exceptionError !== undefined, createdAddress };
  }

  /** Runs a transaction in a block of its own. */
  async function transact(to: Address | undefined, data: Hex, from?: typeof deployer) {
    const done = await execute(to, data, from);
    if (done.failed) throw new Error(`The transaction failed: ${done.result}`);
    roots.push(await vm.stateManager.getStateRoot());
    return done;
  }

  /** Runs `work` in the state of a block, then restores the newest state. */
  async function atBlock<Result>(block: unknown, work: () => Promise<Result>): Promise<Result> {
    const number = typeof block === 'string' && block.startsWith('0x') ? Number(block) : undefined;
    const latest = roots.at(-1);
    const root = number === undefined ? latest : roots[number];
    if (!root || !latest) throw new Error(`There is no block ${block}.`);
    await vm.stateManager.setStateRoot(root);
    await vm.stateManager.checkpoint();
    try {
      return await work();
    } finally {
      await vm.stateManager.revert();
      await vm.stateManager.setStateRoot(latest);
    }
  }

  const methods: Record<string, (params: readonly unknown[]) => Promise<unknown>> = {
    eth_chainId: async () => `0x${chainId.toString(16)}`,
    eth_blockNumber: async () => `0x${(roots.length - 1).toString(16)}`,
    eth_getCode: ([address, block]) =>
      atBlock(block, async () =>
        bytesToHex(await vm.stateManager.getCode(createAddressFromString(`${address}`))),
      ),
    eth_call: ([call, block]) =>
      atBlock(block, async () => {
        const { to, data } = call as { to?: Address; data: Hex };
        const { result, failed } = await execute(to, data);
        if (failed) throw Object.assign(new Error('execution reverted'), { code: 3, data: result });
        return result;
      }),
  };

  // The EVM has one state, so requests run one after the other.
  let last: Promise<unknown> = Promise.resolve();
  const node = await startSite(() => async (request) => {
    requests += 1;
    const { id, method, params } = (await request.json()) as {
      id: number;
      method: string;
      params: unknown[];
    };
    const run = last.then(() => {
      const known = methods[method];
      if (!known) throw new Error(`unknown method ${method}`);
      return known(params);
    });
    last = run.catch(() => undefined);
    const answer = await run.then(
      (result) => ({ result }),
      ({ message, code = -32_603, data }) => ({ error: { message, code, data } }),
    );
    return Response.json({ jsonrpc: '2.0', id, ...answer });
  });

  async function deploy(contract: string): Promise<Address> {
    const { createdAddress } = await transact(undefined, readBytecode(contract));
    return createdAddress?.toString() as Address;
  }
  const singleton = await deploy('Safe.sol/Safe');
  const handler = await deploy(
    'handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler',
  );
  const factory = await deploy('proxies/SafeProxyFactory.sol/SafeProxyFactory');

  async function createWallet(owner: LocalAccount, salt = 0n): Promise<ContractWallet> {
    const initializer = encodeFunctionData({
      abi: safeAbi,
      functionName: 'setup',
      args: [[owner.address], 1n, zeroAddress, '0x', handler, zeroAddress, 0n, zeroAddress],
    });
    const deployment = encodeFunctionData({
      abi: factoryAbi,
      functionName: 'createProxyWithNonce',
      args: [singleton, initializer, salt],
    });
    const readCode = encodeFunctionData({ abi: factoryAbi, functionName: 'proxyCreationCode' });
    const { result } = await execute(factory, readCode);
    // `bytes` as the ABI encodes it: offset, length, content.
    const length = Number(`0x${result.slice(66, 130)}`);
    const code = `0x${result.slice(130, 130 + 2 * length)}` as const;
    const address = getContractAddress({
      opcode: 'CREATE2',
      from: factory,
      bytecode: encodePacked(['bytes', 'uint256'], [code, BigInt(singleton)]),
      salt: keccak256(encodePacked(['bytes32', 'uint256'], [keccak256(initializer), salt])),
    });
    const sign = (message: string, by = owner) =>
      by.signTypedData({
        domain: { chainId, verifyingContract: address },
        types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
        primaryType: 'SafeMessage',
        message: { message: encodeAbiParameters([{ type: 'bytes32' }], [hashMessage(message)]) },
      });
    return {
      address,
      sign,
      signUndeployed: async (message) =>
        serializeErc6492Signature({
          address: factory,
          data: deployment,
          signature: await sign(message),
        }),
      async deploy() {
        await transact(factory, deployment);
      },
      async changeOwner(next) {
        const sentinel = '0x0000000000000000000000000000000000000001';
        const data = encodeFunctionData({
          abi: safeAbi,
          functionName: 'swapOwner',
          args: [sentinel, owner.address, next.address],
        });
        // Only the wallet itself may change its owners.
        await transact(address, data, createAddressFromString(address));
      },
    };
  }

  return {
    url: node.origin,
    requests: () => requests,
    createWallet,
    close: node.close,
  };
}
