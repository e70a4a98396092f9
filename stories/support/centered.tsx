import type { Decorator } from '@storybook/react-vite';

export const centered: Decorator = (Story) => (
  <div style={{ textAlign: 'center' }}>
    <Story />
  </div>
);
