// types.test.ts compiles this backend with the types of Express 4 and of Express 5. Nothing runs it.
import { createServer } from 'node:http';
import type { RampHandler } from '@partner-ramp/react/server';
import { toExpress } from '@partner-ramp/react/server/express';
import { toNodeHandler } from '@partner-ramp/react/server/node';
import express, { type Request } from 'express';

declare const plain: RampHandler;
declare const signedIn: RampHandler<{ id: string }>;
declare function userOf(request: Request): Promise<{ id: string }>;

const app = express();
app.use('/api/ramp', toExpress(signedIn, { context: userOf }));
app.use('/other', toExpress(plain));
express.Router().use(toExpress(plain));
// @ts-expect-error: the policy has a context, so the handler needs one.
app.use(toExpress(signedIn));
// @ts-expect-error: the context has another type than the policy needs.
app.use(toExpress(signedIn, { context: () => ({ name: 'Ann' }) }));

createServer(toNodeHandler(plain));
createServer(toNodeHandler(signedIn, { context: (req) => ({ id: req.headers.cookie ?? '' }) }));
// @ts-expect-error: the policy has a context, so the handler needs one.
createServer(toNodeHandler(signedIn));
