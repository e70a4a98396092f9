import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [reactRouter()],
  // Without this, Vite finds the package only at the first visit, and reloads the page.
  optimizeDeps: { include: ['@partner-ramp/react'] },
});
