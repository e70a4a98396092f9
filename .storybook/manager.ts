import { addons } from 'storybook/manager-api';
import { create } from 'storybook/theming';

addons.setConfig({
  theme: create({ base: 'light', brandTitle: '@partner-ramp/react' }),
  // Show the controls beside the story. Below the story, they would cover it.
  panelPosition: 'right',
  layoutCustomisations: {
    // Hide the panel on the first page, which has no controls.
    showPanel: ({ storyId }, isShown) => (storyId?.startsWith('introduction--') ? false : isShown),
  },
});
