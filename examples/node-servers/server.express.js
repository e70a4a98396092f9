import { toExpress } from '@partner-ramp/react/server/express';
import express from 'express';
import { ramp } from './ramp.js';
import { getUser } from './user.js';

const app = express();
// This must be after your session and before any body parser, because the handler reads the body itself.
app.use('/api/ramp', toExpress(ramp.handler, { context: getUser }));
app.use(express.static('dist'));
app.listen(process.env.PORT);
ramp.start();
