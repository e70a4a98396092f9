import { createServer } from 'node:http';
import { toNodeHandler } from '@partner-ramp/react/server/node';
import sirv from 'sirv';
import { ramp } from './ramp.js';
import { getUser } from './user.js';

const handle = toNodeHandler(ramp.handler, { context: getUser });
const page = sirv('dist', { dev: true });
createServer((req, res) => {
  if (req.url.startsWith('/api/ramp/')) handle(req, res);
  else page(req, res, () => res.writeHead(404).end());
}).listen(process.env.PORT);
ramp.start();
