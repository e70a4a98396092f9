import { expect, it } from 'vitest';
import { formatGuidePages, readGuidePages } from '../../scripts/docs/guidePages.js';

it('the pages of Storybook show every guide (npm run docs)', () => {
  expect(readGuidePages()).toEqual(formatGuidePages());
});
