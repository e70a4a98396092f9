import { getRamp, type User } from '../../../../lib/ramp';

/** Replace this with your session. Return undefined if the user is signed out. */
async function getUser(): Promise<User | undefined> {
  return { id: 'demo', wallet: '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e' };
}

const handle = async (request: Request) => getRamp().handler(request, await getUser());

export { handle as GET, handle as POST };
