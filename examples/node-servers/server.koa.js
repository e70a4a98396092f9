import { toRequest } from '@partner-ramp/react/server/node';
import Koa from 'koa';
import serve from 'koa-static';
import { ramp } from './ramp.js';
import { getUser } from './user.js';

const app = new Koa();
// This must run after your session and before any body parser, because the handler reads the body itself.
app.use(async (ctx, next) => {
  if (!ctx.path.startsWith('/api/ramp/')) return next();
  const response = await ramp.handler(toRequest(ctx.req), getUser(ctx));
  ctx.status = response.status;
  ctx.set(Object.fromEntries(response.headers));
  ctx.body = await response.text();
});
app.use(serve('dist'));
app.listen(process.env.PORT);
ramp.start();
