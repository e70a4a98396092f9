import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/topUp.tsx'),
  route('api/ramp/*', 'routes/ramp.ts'),
] satisfies RouteConfig;
