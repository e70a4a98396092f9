import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events';
import { addons } from 'storybook/manager-api';
import { create } from 'storybook/theming';
import { resolveScheme, subscribeSystemScheme } from './scheme.js';

const createTheme = (scheme: unknown) =>
  create({ base: resolveScheme(scheme), brandTitle: '@partner-ramp/react' });

/** Matches the IDs of stories that fill the page and have no controls. */
const withoutPanel = /^(?:introduction|components-themes)--/;

addons.setConfig({
  theme: createTheme('system'),
  // Show the controls beside the story. Below the story, they would cover it.
  panelPosition: 'right',
  layoutCustomisations: {
    showPanel: ({ storyId }, isShown) => (withoutPanel.test(storyId ?? '') ? false : isShown),
  },
});

// Storybook's own interface follows the scheme of the toolbar, but not that of a story that sets its own.
addons.register('scheme', (api) => {
  const apply = () => api.setOptions({ theme: createTheme(api.getUserGlobals().scheme) });
  api.on(SET_GLOBALS, apply);
  api.on(GLOBALS_UPDATED, apply);
  subscribeSystemScheme(apply);
});
