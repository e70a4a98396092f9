import type { APIRoute } from 'astro';
import { ramp } from '../../../ramp';

/** Runs for each request, also in a site whose pages are prerendered. */
export const prerender = false;

export const ALL: APIRoute = ({ request }) => ramp.handler(request);
