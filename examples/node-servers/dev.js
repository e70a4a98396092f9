// npm run dev starts the sandbox, which starts this file with its variables: the backend, and the page with Vite.
import { createServer } from 'vite';

const { PORT = '3000', PAGE_PORT = '5173' } = process.env;
Object.assign(process.env, {
  SHOP_ORIGIN: `http://localhost:${PAGE_PORT}`,
  PORT,
  DATABASE_FILE: ':memory:', // the sandbox keeps its orders in memory, too
});
const [, , name = 'express'] = process.argv;
await import(`./server.${name}.js`);

const proxy = { '/api': `http://127.0.0.1:${PORT}` };
const vite = await createServer({ server: { port: Number(PAGE_PORT), strictPort: true, proxy } });
await vite.listen();
vite.printUrls();
