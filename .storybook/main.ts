import type { StorybookConfig } from '@storybook/react-vite';
import type { Channel } from 'storybook/internal/channels';
import { REQUEST_WHATS_NEW_DATA } from 'storybook/internal/core-events';
import { mergeConfig } from 'vite';
import { staticWidget } from './staticWidget.js';

const config: StorybookConfig = {
  framework: {
    name: '@storybook/react-vite',
    options: { builder: { viteConfigPath: '.storybook/vite.config.ts' } },
  },
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.tsx'],
  staticDirs: ['./public'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y', '@storybook/addon-vitest'],
  // Turn off Storybook's backgrounds: the page sets its own background, which depends on the colour scheme.
  features: { backgrounds: false, sidebarOnboardingChecklist: false },
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  // These settings are not in .storybook/vite.config.ts, because the tests do not read that file, and Storybook
  // ignores its `build`.
  viteFinal: (vite) =>
    mergeConfig(vite, {
      plugins: [staticWidget()],
      // Keep light-dark() in the styles: its fallback for older browsers works only if a stylesheet sets color-scheme,
      // but the toolbar sets it on the element.
      build: { cssTarget: ['chrome123', 'firefox120', 'safari17.5'] },
    }),
};

/**
 * Removes the listeners that make Storybook request its news, because `disableWhatsNewNotifications` does not prevent
 * the request.
 */
function experimental_serverChannel(channel: Channel): Channel {
  channel.removeAllListeners(REQUEST_WHATS_NEW_DATA);
  return channel;
}

export default { ...config, experimental_serverChannel };
