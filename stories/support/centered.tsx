import type { Decorator } from '@storybook/react-vite';

/** Centers the story. */
export const centered: Decorator = (Story) => (
  <div style={{ textAlign: 'center' }}>
    <Story />
  </div>
);
