import { DocsContainer, type DocsContainerProps } from '@storybook/addon-docs/blocks';
import { type PropsWithChildren, useEffect, useSyncExternalStore } from 'react';
import { GLOBALS_UPDATED, SET_GLOBALS } from 'storybook/internal/core-events';
import { themes } from 'storybook/theming';
import { resolveScheme, type Scheme, subscribeSystemScheme } from './scheme.js';

type Channel = DocsContainerProps['context']['channel'];

const events = [SET_GLOBALS, GLOBALS_UPDATED];

/** Returns the colour scheme of a documentation page, which follows the toolbar. */
function useScheme(channel: Channel): Scheme {
  return useSyncExternalStore(
    (onChange) => {
      const unsubscribe = subscribeSystemScheme(onChange);
      for (const event of events) channel.on(event, onChange);
      return () => {
        unsubscribe();
        for (const event of events) channel.off(event, onChange);
      };
    },
    () => {
      const [last] = channel.last(GLOBALS_UPDATED) ?? channel.last(SET_GLOBALS) ?? [];
      return resolveScheme(last?.globals.scheme);
    },
  );
}

/** The frame of every documentation page. It follows the colour scheme of the toolbar. */
export function DocsPage({ context, children }: PropsWithChildren<DocsContainerProps>) {
  const scheme = useScheme(context.channel);
  useEffect(() => {
    // Set the scheme on the document: dialogs are outside the page's element, and the stylesheet picks the guides'
    // pictures by `data-scheme`.
    const { style, dataset } = document.documentElement;
    style.colorScheme = dataset.scheme = scheme;
  }, [scheme]);
  return (
    <DocsContainer context={context} theme={themes[scheme]}>
      {children}
    </DocsContainer>
  );
}
