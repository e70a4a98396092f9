import { ramp } from './ramp.js';

/** The function that a host calls for each request below /api/ramp. */
export default function respond(request, { waitUntil }) {
  return ramp.handler(request, { waitUntil });
}
