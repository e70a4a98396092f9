import { createServer } from 'node:http';
import { toNodeHandler } from '@partner-ramp/react/server/node';
import sirv from 'sirv';
import { handler, tracker } from './ramp.js';

// Replace this with your session. Return undefined if the user is signed out.
const getUser = () => ({ id: 'demo', wallet: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' });

const ramp = toNodeHandler(handler, { context: getUser });
const page = sirv('dist', { dev: true });
createServer((req, res) => {
  if (req.url.startsWith('/api/ramp/')) ramp(req, res);
  else page(req, res, () => res.writeHead(404).end());
}).listen(process.env.PORT);
tracker.start();
