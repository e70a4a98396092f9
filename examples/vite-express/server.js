import { toExpress } from '@partner-ramp/react/server/express';
import express from 'express';
import { handler, tracker } from './ramp.js';

// Replace this with your session. Return undefined if the user is signed out.
const getUser = () => ({ id: 'demo', wallet: '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e' });

const app = express();
app.use('/api/ramp', toExpress(handler, { context: getUser })); // before any body parser
app.use(express.static('dist'));
app.listen(process.env.PORT);
tracker.start();
