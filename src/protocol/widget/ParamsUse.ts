/**
 * The use of the parameters. `premium`: the complete parameters that a Premium Partner signs. `basic`: the
 * parameters of a Basic Partner's unsigned URL. `proposal`: the parameters that a page proposes to its
 * backend; all are optional, because the backend's policy completes them.
 */
export type ParamsUse = 'premium' | 'basic' | 'proposal';
