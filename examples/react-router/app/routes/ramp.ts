import { handler, type User } from '../ramp.server';

/** Replace this with your session. Return undefined if the user is signed out. */
async function getUser(): Promise<User | undefined> {
  return { id: 'demo', wallet: '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e' };
}

const handle = async ({ request }: { request: Request }) => handler(request, await getUser());

export { handle as action, handle as loader };
