import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Separate from the vite.config.ts of the root, which builds a library without React.
export default defineConfig({ plugins: [react()] });
