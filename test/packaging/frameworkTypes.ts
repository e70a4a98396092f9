/**
 * The types of frameworks that examples in the guides use, but that this project does not install. Only declares the
 * members that the examples use. The types are a string, because ambient modules in a file of the project would
 * replace the real types in tests that do install the frameworks.
 */
export const frameworkTypes = `
declare module 'fastify' {
  import type { IncomingMessage } from 'node:http';
  interface Request { readonly raw: IncomingMessage }
  type Parser = (request: Request, body: unknown, done: (error: Error | null) => void) => void;
  interface Instance {
    removeAllContentTypeParsers(): void;
    addContentTypeParser(type: string, parser: Parser): void;
    all(path: string, handler: (request: Request) => Promise<Response>): void;
    register(plugin: (scope: Instance) => Promise<void>, options: { prefix: string }): void;
  }
  export default function fastify(): Instance;
}
declare module '@nestjs/core' {
  import type { RequestHandler } from 'express';
  interface App {
    use(path: string, middleware: RequestHandler): void;
    listen(port: number): Promise<void>;
  }
  export const NestFactory: { create(module: new () => object): Promise<App> };
}
declare module '@nestjs/common' {
  export function Controller(prefix: string): ClassDecorator;
  export function All(path: string): MethodDecorator;
  export function Req(): ParameterDecorator;
  export function Res(): ParameterDecorator;
}
declare module 'serverless-http' {
  export default function serverless(app: import('express').Express): (event: object, context: object) => Promise<object>;
}
declare module '@google-cloud/functions-framework' {
  import type { Request, Response } from 'express';
  export function http(name: string, handler: (req: Request, res: Response) => unknown): void;
}
declare module '@vitejs/plugin-vue' {
  export default function vue(options: {
    template: { compilerOptions: { isCustomElement(tag: string): boolean } };
  }): import('vite').Plugin;
}
declare module 'koa' {
  import type { IncomingMessage } from 'node:http';
  interface Context {
    readonly path: string;
    readonly req: IncomingMessage;
    status: number;
    body: unknown;
    set(headers: Record<string, string>): void;
  }
  export default class Koa {
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
  }
}
declare module 'astro/fetch' {
  export class FetchState { constructor(request: Request) }
  export function astro(state: FetchState): Promise<Response>;
}
declare module '@tanstack/react-start/server-entry' {
  interface ServerEntry { fetch(request: Request): Promise<Response> }
  const handler: ServerEntry;
  export default handler;
  export function createServerEntry(entry: ServerEntry): ServerEntry;
}
declare module '@tanstack/react-router' {
  interface Handlers { ANY(context: { readonly request: Request }): Promise<Response> }
  export function createFileRoute(path: string): (options: { server: { handlers: Handlers } }) => object;
}
declare module 'next/server' {
  export function after(work: Promise<unknown>): void;
  export function connection(): Promise<void>;
}
declare module '*/ramp' {
  export function getRamp(): import('@partner-ramp/react/server').Ramp;
}
declare module '*/ramp.server' {}
declare module '*/database' {
  interface Tables {
    purchases: { order_id: string; user_id: string };
    cases: { key: string; order_id: string; reason: string };
  }
  export function getDatabase(): import('kysely').Kysely<Tables>;
}
declare module '*/session' {
  interface User { id: string; wallets: import('@partner-ramp/react/server').Wallets }
  export function findUser(request: Request): Promise<User | undefined>;
}
declare module '@/components/ui/button' {
  import type { ComponentProps, ReactElement } from 'react';
  interface Props extends ComponentProps<'button'> {
    variant?: 'default' | 'secondary' | 'outline';
    size?: 'default' | 'sm' | 'lg';
  }
  export function Button(props: Props): ReactElement;
}
declare module '@jest/globals' {
  export { expect, test } from 'vitest';
}
declare module '@playwright/test' {
  export * from 'playwright/test';
}
declare module 'viem' {
  type Hex = \`0x\${string}\`;
  interface Signed { address: Hex; message: string; signature: Hex }
  export function isAddress(address: string): address is Hex;
  export function isAddressEqual(a: Hex, b: Hex): boolean;
  export function verifyMessage(signed: Signed): Promise<boolean>;
  export function http(url: string): unknown;
  export function createPublicClient(options: { chain: unknown; transport: unknown }): {
    verifySiweMessage(
      signed: Signed & { domain: string; time: Date; blockNumber: bigint },
    ): Promise<boolean>;
  };
}
declare module 'viem/chains' {
  export const mainnet: { readonly id: 1 };
}
declare module 'wagmi' {
  export function useAccount(): { readonly address: \`0x\${string}\` | undefined };
}
`;
