// Replaces the backend of a framework's example. The route of the example calls `handler`.
import { createBackend, respond } from '../../support/server/conformanceBackend.mjs';

const ramp = createBackend(process.env);

export const handler = (request) => respond(ramp, request);
