import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Storybook does not use the root's vite.config.ts, which builds the library and leaves React out of the bundle.
export default defineConfig({ plugins: [react()] });
