import { CodeOrSourceMdx, Source } from '@storybook/addon-docs/blocks';
import type { ComponentProps } from 'react';
import { useTheme } from 'storybook/theming';

/** A block of code in the colour scheme of the page. Storybook's own block is always light. */
export function Code(props: Pick<ComponentProps<typeof Source>, 'code' | 'language'>) {
  return <Source {...props} format={false} dark={useTheme().base === 'dark'} />;
}

/** Code in Markdown: a block if it has a language or several lines, or else a word in the text. */
export function MarkdownCode({ className = '', children }: ComponentProps<'code'>) {
  const language = /lang(?:uage)?-(\w+)/.exec(className)?.[1];
  if (typeof children !== 'string' || (!language && !children.includes('\n')))
    return <CodeOrSourceMdx>{children}</CodeOrSourceMdx>;
  return <Code code={children} language={language as 'tsx'} />;
}
