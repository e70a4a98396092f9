import vue from '@vitejs/plugin-vue';
import { createServer } from 'vite';
import { app, listener } from './ramp.js';

// Vue must not resolve this tag as a component.
const isCustomElement = (tag) => tag === 'ramp-button';
const vite = await createServer({
  root: 'vue',
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
  server: { middlewareMode: true, hmr: { server: listener } },
});
app.use(vite.middlewares);
