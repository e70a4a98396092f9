import { AnchorMdx, CodeOrSourceMdx, HeadersMdx, Markdown } from '@storybook/addon-docs/blocks';
import type { ComponentProps } from 'react';
import { toGuideLink } from './toGuideLink.js';

const Anchor = ({ href = '', ...props }: ComponentProps<'a'>) => (
  <AnchorMdx {...props} href={toGuideLink(href)} target="_self" />
);

/** Returns the name of the anchor that GitHub gives to a heading, because the links use it. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** The options replace the default overrides, so those are repeated. */
const options = {
  slugify: toAnchor,
  overrides: { code: CodeOrSourceMdx, ...HeadersMdx, a: Anchor },
};

/** A page of `docs`. */
export const Guide = ({ text }: { readonly text: string }) => (
  <Markdown options={options}>{text.replace(/<!--[\s\S]*?-->/g, '')}</Markdown>
);
