/**
 * The types of frameworks that examples in the guides use, but that this project does not install. Only declares the
 * members that the examples use. The types are a string, because ambient modules in a file of the project would
 * replace the real types in tests that do install the frameworks.
 */
export const frameworkTypes = `
declare module 'fastify' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  interface Request { readonly raw: IncomingMessage }
  interface Reply { readonly raw: ServerResponse; hijack(): void }
  interface Instance {
    addHook(name: 'onRequest', hook: (request: Request, reply: Reply) => Promise<void>): void;
    all(path: string, handler: () => void): void;
    register(plugin: (scope: Instance) => Promise<void>, options: { prefix: string }): void;
  }
  export default function fastify(): Instance;
}
declare module 'koa' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  interface Context {
    readonly path: string;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    respond?: boolean;
  }
  export default class Koa {
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
  }
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
  export { expect, test } from 'playwright/test';
}
declare module 'wagmi' {
  export function useAccount(): { readonly address: \`0x\${string}\` | undefined };
}
`;
