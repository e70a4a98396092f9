import type { Language } from './Language.js';
import { runCommand } from './runCommand.js';

type Values = Readonly<Record<string, string>>;

/** What the signing program of a language does: the programs are in the folders beside this file. */
export type Task =
  /** Signs a widget URL now. */
  | { readonly do: 'sign'; params: Values; partnerId: string; secretKey: string }
  /** Signs a request to the partner API now. */
  | { readonly do: 'headers'; url: string; partnerId: string; privateKey: string }
  /** Signs all of `params`. */
  | { readonly do: 'widget'; params: Values; secretKey: string }
  /** Signs a request with the signed `headers`. */
  | { readonly do: 'request'; method: string; url: string; headers: Values; privateKey: string }
  /** Verifies a webhook. */
  | {
      readonly do: 'webhook';
      address: string;
      publicKey: string;
      headers: readonly (readonly [string, string])[];
      query: string;
      now: number;
    };

/** The result of a task, by name. A refused one has only `error`. */
export type Result = Readonly<Record<string, string>>;

/** Runs tasks in one process of the language. */
export async function runTasks(
  language: Language,
  temp: string,
  tasks: readonly Task[],
): Promise<readonly Result[]> {
  return JSON.parse(await runCommand(await language.signer(temp), JSON.stringify(tasks)));
}
