import { AnchorMdx, HeadersMdx, Markdown } from '@storybook/addon-docs/blocks';
import type { ComponentProps } from 'react';
import { MarkdownCode } from '../support/docs/Code.js';
import { toGuideLink } from './toGuideLink.js';

const Anchor = ({ href = '', ...props }: ComponentProps<'a'>) => (
  <AnchorMdx {...props} href={toGuideLink(href)} target="_self" />
);

/** The pictures of the guides by name, such as `displays-light.webp`. */
const pictures = new Map(
  Object.entries(
    import.meta.glob<string>('../../docs/pictures/*', {
      query: '?url',
      import: 'default',
      eager: true,
    }),
  ).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
);

/**
 * A picture of a guide. GitHub shows its light or its dark version by the `source` of the `picture`. Here the toolbar
 * sets the scheme, so both versions are in the page and the stylesheet hides one.
 */
function Picture({ src = '', alt = '', width }: ComponentProps<'img'>) {
  const name = src.slice(src.lastIndexOf('/') + 1);
  return ['light', 'dark'].map((scheme) => (
    <img
      key={scheme}
      className="guide-picture"
      data-for={scheme}
      src={pictures.get(name.replace('-light.', `-${scheme}.`)) ?? src}
      alt={alt}
      width={width}
      loading="lazy"
    />
  ));
}

/** Returns the anchor that GitHub gives to a heading, because the links in `docs` use GitHub's anchors. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/**
 * The options of the Markdown renderer. `overrides` replaces Storybook's default overrides, so the defaults are
 * repeated here.
 */
const options = {
  slugify: toAnchor,
  overrides: {
    code: MarkdownCode,
    ...HeadersMdx,
    a: Anchor,
    img: Picture,
    source: () => null,
    // The box of a task list, such as that of "Going live", is not a control.
    input: () => <span aria-hidden="true">☐</span>,
  },
};

/** Shows a file of `docs`, without its HTML comments. */
export const Guide = ({ text }: { readonly text: string }) => (
  <Markdown options={options}>{text.replace(/<!--[\s\S]*?-->/g, '')}</Markdown>
);
