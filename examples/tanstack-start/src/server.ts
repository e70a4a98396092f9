import handler, { createServerEntry } from '@tanstack/react-start/server-entry';
// TanStack Start loads this file when a server starts, but routes only with the first request.
import './ramp.server';

export default createServerEntry({ fetch: handler.fetch });
