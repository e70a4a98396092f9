import { createFileRoute } from '@tanstack/react-router';
import { ramp } from '../../../ramp.server';

export const Route = createFileRoute('/api/ramp/$')({
  server: { handlers: { ANY: ({ request }) => ramp.handler(request) } },
});
