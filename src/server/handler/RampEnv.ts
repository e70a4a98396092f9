/** The Hono environment of the routes: `c.env.context` is the value that the framework adapter passed. */
export interface RampEnv<Context> {
  Bindings: { context: Context };
}
