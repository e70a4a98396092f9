import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
const b = JSON.parse(readFileSync('node_modules/.cache/browser.json', 'utf8'));
const launchOptions = { executablePath: b.executablePath, ...(b.env && { env: { ...process.env, ...b.env } }), args: ['--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] };
export default defineConfig({ plugins: [react()], optimizeDeps: { include: ['react', 'react-dom/client', 'react/jsx-dev-runtime', '@testing-library/react', 'zod/mini'] }, test: { include: ['test/**/*.browser.tsx'], browser: { enabled: true, headless: true, screenshotFailures: false, provider: playwright({ launchOptions }), instances: [{ browser: 'chromium' }] } } });
