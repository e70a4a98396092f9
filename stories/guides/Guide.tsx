import { AnchorMdx, CodeOrSourceMdx, HeadersMdx, Markdown } from '@storybook/addon-docs/blocks';
import type { ComponentProps } from 'react';
import { toGuideLink } from './toGuideLink.js';

const Anchor = ({ href = '', ...props }: ComponentProps<'a'>) => (
  <AnchorMdx {...props} href={toGuideLink(href)} target="_self" />
);

/** Returns the anchor that GitHub gives to a heading, because the links in `docs` use GitHub's anchors. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** `overrides` replaces the default overrides of Storybook, so the defaults are repeated here. */
const options = {
  slugify: toAnchor,
  overrides: { code: CodeOrSourceMdx, ...HeadersMdx, a: Anchor },
};

/** Shows a file of `docs`, without its HTML comments. */
export const Guide = ({ text }: { readonly text: string }) => (
  <Markdown options={options}>{text.replace(/<!--[\s\S]*?-->/g, '')}</Markdown>
);
