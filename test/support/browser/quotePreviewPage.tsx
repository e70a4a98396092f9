import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect } from 'vitest';
import {
  OnRampButton,
  QuotePreview,
  type QuotePreviewProps,
  type QuotePreviewStatus,
  RampProvider,
} from '../../../src/index.js';
import { widgetUrl } from './onRampButtonPage.js';

/** Creates a page with the card and a separate QueryClient, so that tests do not share cached responses. */
export const previewPage = (props: QuotePreviewProps = {}, client = new QueryClient()) => (
  <QueryClientProvider client={client}>
    <RampProvider widgetUrl={widgetUrl} api="/api/ramp">
      <QuotePreview {...props}>{props.children ?? <OnRampButton />}</QuotePreview>
    </RampProvider>
  </QueryClientProvider>
);

export const renderPreview = (props?: QuotePreviewProps, client?: QueryClient) =>
  render(previewPage(props, client));

/** The `defaultValue` of most tests. */
export const hundred = { amount: '100' };

export const root = () => document.querySelector<HTMLElement>('.ramp-quote') as HTMLElement;
export const field = () => screen.getByRole<HTMLInputElement>('textbox');
/** Returns the amount in the second row, without the sign `≈` of an estimate. */
export const result = () =>
  document.querySelector('.ramp-quote-result')?.textContent?.replace('≈\u00a0', '');
export const pill = (code: string) => screen.getByRole('button', { name: new RegExp(`^${code} `) });
export const buy = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Buy/ });
export const method = (name: string) =>
  screen.getByRole<HTMLInputElement>('radio', { name: new RegExp(name) });
export const announcement = () => document.querySelector('p.ramp-visually-hidden')?.textContent;

export const expectState = (status: QuotePreviewStatus) =>
  waitFor(() => expect(root().dataset.state).toBe(status));

afterEach(cleanup);
