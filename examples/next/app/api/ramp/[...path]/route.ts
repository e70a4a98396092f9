import { getRamp } from '../../../../lib/ramp';

const handle = (request: Request) => getRamp().handler(request);

export { handle as GET, handle as POST };
