import { createServer } from 'node:http';
import { toNodeHandler } from '@partner-ramp/react/server/node';
import sirv from 'sirv';
import { ramp } from './ramp.js';

// Replace this with your session. Return undefined if the user is signed out.
const getUser = () => ({
  id: 'demo',
  wallets: {
    evm: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
    bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    solana: '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
    tron: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  },
});

const handle = toNodeHandler(ramp.handler, { context: getUser });
const page = sirv('dist', { dev: true });
createServer((req, res) => {
  if (req.url.startsWith('/api/ramp/')) handle(req, res);
  else page(req, res, () => res.writeHead(404).end());
}).listen(process.env.PORT);
ramp.start();
