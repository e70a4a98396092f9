import { addons } from 'storybook/manager-api';
import { create } from 'storybook/theming';

addons.setConfig({
  theme: create({ base: 'light', brandTitle: '@partner-ramp/react' }),
  // The controls beside the story, because below they would cover it.
  panelPosition: 'right',
  layoutCustomisations: {
    // The first page has no controls.
    showPanel: ({ storyId }, isShown) => (storyId?.startsWith('introduction--') ? false : isShown),
  },
});
