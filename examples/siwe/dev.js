// npm run dev starts the sandbox, which starts this file with its variables: the backend, and the page with Vite.
// You need no account and no wallet.
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createServer } from 'vite';

const { PORT = '3000', PAGE_PORT = '5173' } = process.env;
const wallet = privateKeyToAccount(generatePrivateKey());
Object.assign(process.env, {
  VITE_TEST_WALLET: wallet.address,
  SHOP_ORIGIN: `http://localhost:${PAGE_PORT}`,
  PORT,
  DATABASE_FILE: ':memory:', // the sandbox keeps its orders in memory, too
});
await import('./server.js');

/** Signs for wagmi's mock connector, which sends `eth_sign` to the node of its chain. */
async function signWithTestWallet(req, res) {
  const body = await new Response(req).json();
  const result = await wallet.signMessage({ message: { raw: body.params[1] } });
  res.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result }));
}

const vite = await createServer({
  plugins: [
    {
      name: 'test-wallet',
      configureServer: ({ middlewares }) => {
        middlewares.use('/test-wallet', signWithTestWallet);
      },
    },
  ],
  server: {
    port: Number(PAGE_PORT),
    strictPort: true,
    proxy: { '/api': `http://127.0.0.1:${PORT}` },
  },
});
await vite.listen();
vite.printUrls();
