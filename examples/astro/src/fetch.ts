import { astro, FetchState } from 'astro/fetch';
// Astro loads this file when a server starts, but routes and middleware only with the first request.
import './ramp';

export default { fetch: (request: Request) => astro(new FetchState(request)) };
