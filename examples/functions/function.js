import { handler } from './ramp.js';

// Replace this with your session. Return undefined if the user is signed out.
const getUser = () => ({ id: 'demo', wallet: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' });

/** The function that a host calls for each request below /api/ramp. */
export default function respond(request, { waitUntil }) {
  return handler(request, { user: getUser(request), waitUntil });
}
