import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Storybook does not use the vite.config.ts of the root, because that one builds a library without React.
export default defineConfig({ plugins: [react()] });
