import type { Decorator } from '@storybook/react-vite';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';

/** Gives each story a separate cache, so that no story uses the responses of another. Needs `loadQueryClient`. */
export const withQueryClient: Decorator = (Story, { loaded }) => (
  <QueryClientProvider client={loaded.client}>
    <Story />
  </QueryClientProvider>
);

export const loadQueryClient = () => ({ client: new QueryClient() });
