import type { ArgTypes } from '@storybook/react-vite';

/** The rows of the props table that both buttons share: some of their props, and no widget parameters. */
export const buttonArgTypes = {
  display: {
    description:
      'Where the widget is shown: in a dialog, in the page, in a window opened inside the click, or in place of the page.',
    control: 'inline-radio',
    // Offer no `redirect`, because it would replace the page of the story.
    options: ['modal', 'inline', 'window'],
    table: {
      type: { summary: "'modal' | 'inline' | 'window' | 'redirect'" },
      defaultValue: { summary: 'modal' },
    },
  },
  disabled: {
    description: 'Disables the button.',
    control: 'boolean',
    table: { type: { summary: 'boolean' } },
  },
  onOpen: { description: 'Called when the widget is opened.' },
  onLoad: { description: 'Called when the frame of the widget loads. Never called for a window.' },
  onClose: {
    description:
      'Called when the widget is no longer shown. It does not mean that the shopper cancelled, or paid.',
  },
  onBlocked: { description: 'Called when the browser blocked the window and a link replaces it.' },
  onError: { description: 'Called with a `RampError`, which has a stable `code`.' },
  onEvent: {
    description: 'Called with all of these events and failures as one union, for analytics.',
  },
  onStatusChange: {
    description:
      'Called with the state of each signed checkout, until it is terminal. Requires an `api`.',
  },
  extraParams: {
    description: 'Unsigned parameters of your service that are not in the table.',
    control: 'object',
    table: { type: { summary: 'Record<string, string>' } },
  },
  allow: {
    description: 'The features that the frame may use.',
    control: 'text',
    table: {
      type: { summary: 'string' },
      defaultValue: { summary: 'payment *; camera *; microphone *; clipboard-write *' },
    },
  },
} satisfies ArgTypes;
