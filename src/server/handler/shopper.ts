/** Who buys: your user or session. The policy gets the whole object, and only the id is stored. */
export interface Shopper {
  /** The same at each request of this shopper, and of nobody else. Not empty. */
  readonly id: string;
}

/** What identifies the shopper of a request. */
export interface Caller<Context = unknown> {
  readonly request: Request;
  /** The value that the framework adapter passed, such as the session. */
  readonly context: Context;
}

/**
 * Returns who sends a request, or undefined if nobody is signed in. The result is the `shopper` of the policy, and its
 * id decides which checkouts the caller can see.
 */
export type GetShopper<User extends Shopper = Shopper, Context = unknown> = (
  caller: Caller<Context>,
) => User | null | undefined | Promise<User | null | undefined>;
