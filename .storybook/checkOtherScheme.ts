import { afterEach as checkAccessibility } from '@storybook/addon-a11y/preview';
import type { Preview } from '@storybook/react-vite';

type AfterEach = Extract<NonNullable<Preview['afterEach']>, (...args: never[]) => unknown>;

/**
 * Checks the accessibility of a story in the other colour scheme too, so that one test run covers both. This happens
 * only in tests. In Storybook the toolbar sets the scheme.
 */
export const checkOtherScheme: AfterEach = async (context) => {
  if (import.meta.env.VITEST_STORYBOOK !== 'false') return;
  const root = document.documentElement;
  const played = root.style.colorScheme;
  const other = played === 'dark' ? 'light' : 'dark';
  root.style.colorScheme = other;
  try {
    await checkAccessibility(context);
  } catch (error) {
    if (error instanceof Error) error.message = `With the ${other} colour scheme: ${error.message}`;
    throw error;
  } finally {
    root.style.colorScheme = played;
  }
};
