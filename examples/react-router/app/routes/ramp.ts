import { ramp } from '../ramp.server';

const handle = ({ request }: { request: Request }) => ramp.handler(request);

export { handle as action, handle as loader };
