import type { Decorator } from '@storybook/react-vite';
import type { Widget } from '../../../src/protocol/index.js';
import { SigningPanel } from './SigningPanel.js';

/** Shows the texts that result from the props below a widget's button. */
export const withSigningPanel =
  (widget: Widget): Decorator =>
  (Story, { args }) => (
    <SigningPanel widget={widget} props={args}>
      <Story />
    </SigningPanel>
  );
