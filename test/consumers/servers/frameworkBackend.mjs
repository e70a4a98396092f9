// Replaces the backend of a framework's example. The route of the example calls `ramp.handler`.
import { createBackend, respond } from '../../conformance/conformanceBackend.mjs';

const handler = createBackend(process.env);

export const ramp = { handler: (request) => respond(handler, request) };
