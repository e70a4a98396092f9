import type { APIRoute } from 'astro';
import { handler, type User } from '../../../ramp';

/** Runs for each request, also in a site whose pages are prerendered. */
export const prerender = false;

/** Replace this with your session. Return undefined if the user is signed out. */
async function getUser(): Promise<User | undefined> {
  return { id: 'demo', wallet: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' };
}

export const ALL: APIRoute = async ({ request }) => handler(request, await getUser());
