/**
 * The source of the parameters. `premium`: what a Premium Partner passes to its signer, complete.
 * `basic`: what a Basic Partner puts into an unsigned URL. `proposal`: what a page asks its backend
 * to sign; nothing is required, because the backend's policy completes it.
 */
export type ParamsUse = 'premium' | 'basic' | 'proposal';
