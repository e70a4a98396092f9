import type { ArgTypes } from '@storybook/react-vite';

/** What a button takes beside the parameters of its widget, as rows of the props table. */
export const buttonArgTypes = {
  display: {
    description:
      'A dialog over the page, the page itself, a window that is opened inside the click, or `redirect`.',
    control: 'inline-radio',
    // A redirect would take the place of the story.
    options: ['modal', 'inline', 'window'],
    table: {
      type: { summary: "'modal' | 'inline' | 'window' | 'redirect'" },
      defaultValue: { summary: 'modal' },
    },
  },
  disabled: {
    description: 'As of every button.',
    control: 'boolean',
    table: { type: { summary: 'boolean' } },
  },
  onOpen: { description: 'The widget is shown, or its window is on its way.' },
  onLoad: { description: 'Its frame has finished. Never told of a window.' },
  onClose: { description: 'It is no longer shown: no sign that the shopper gave up, or paid.' },
  onBlocked: { description: 'The browser blocked the window; the link is there.' },
  onError: { description: 'Gets a `RampError` with a stable `code`.' },
  onEvent: { description: 'All of these, and failures, as one union: for analytics.' },
  onStatusChange: {
    description:
      'How far each signed checkout is, from its opening on until it is over. It needs an `api`.',
  },
  extraParams: {
    description: 'Unsigned parameters that your service has beyond the table.',
    control: 'object',
    table: { type: { summary: 'Record<string, string>' } },
  },
  allow: {
    description: 'What the frame may use.',
    control: 'text',
    table: {
      type: { summary: 'string' },
      defaultValue: { summary: 'payment; camera; microphone; clipboard-write' },
    },
  },
} satisfies ArgTypes;
