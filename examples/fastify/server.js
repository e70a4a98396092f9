import fastifyStatic from '@fastify/static';
import { toRequest } from '@partner-ramp/react/server/node';
import Fastify from 'fastify';
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

const app = Fastify();
app.register(
  async (scope) => {
    // The handler reads the body itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.all('/*', (request) => ramp.handler(toRequest(request.raw), getUser(request)));
  },
  { prefix: '/api/ramp' },
);
app.register(fastifyStatic, { root: `${import.meta.dirname}/dist` });
await app.listen({ port: process.env.PORT });
ramp.start();
