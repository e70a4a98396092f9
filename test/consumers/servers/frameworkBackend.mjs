// Replaces the backend of a framework's example. The route of the example calls `handler`.
import { createBackend, respond } from '../../conformance/conformanceBackend.mjs';

const ramp = createBackend(process.env);

export const handler = (request) => respond(ramp, request);
