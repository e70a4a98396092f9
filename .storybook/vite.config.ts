import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Of its own: vite.config.ts at the top builds a library, with React left out.
export default defineConfig({ plugins: [react()] });
