// npm run dev starts the sandbox, which starts this file with its variables: Vite's development server.
import { createServer } from 'vite';

const { PORT = '3000' } = process.env;
Object.assign(process.env, {
  SHOP_ORIGIN: `http://localhost:${PORT}`,
  DATABASE_FILE: ':memory:', // the sandbox keeps its orders in memory, too
});

const vite = await createServer({ server: { port: Number(PORT), strictPort: true } });
await vite.listen();
vite.printUrls();
