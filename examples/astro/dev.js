// npm run dev starts the sandbox, which starts this file with its variables: Astro's development server.
import { dev } from 'astro';

const { PORT = '3000' } = process.env;
Object.assign(process.env, {
  SHOP_ORIGIN: `http://localhost:${PORT}`,
  DATABASE_FILE: ':memory:', // the sandbox keeps its orders in memory, too
});
await dev({ server: { port: Number(PORT) } });
