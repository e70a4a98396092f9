/** The Hono environment of the routes: `c.env.context` is what the framework adapter passed. */
export interface RampEnv<Context> {
  Bindings: { context: Context };
}
