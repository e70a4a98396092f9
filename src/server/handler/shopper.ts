/** The buyer: your user or session. The policy receives the whole object, but only the id is stored. */
export interface Shopper {
  /** Identifies this shopper, and no other, in every request. Must not be empty. */
  readonly id: string;
}

/** The request and the context from which `getShopper` identifies the shopper. */
export interface Caller<Context = unknown> {
  readonly request: Request;
  /** The second argument of the handler, such as the session. */
  readonly context: Context;
}

/**
 * Returns the shopper who sent a request, or undefined if none is signed in. The policy receives the result as
 * `shopper`, and its id decides which checkouts the caller can see.
 */
export type GetShopper<User extends Shopper = Shopper, Context = unknown> = (
  caller: Caller<Context>,
) => User | null | undefined | Promise<User | null | undefined>;
