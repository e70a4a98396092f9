import fastifyStatic from '@fastify/static';
import { toRequest } from '@partner-ramp/react/server/node';
import Fastify from 'fastify';
import { ramp } from './ramp.js';
import { getUser } from './user.js';

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
