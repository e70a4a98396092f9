import { render, screen, waitFor, within } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect } from 'vitest';
import { userEvent } from 'vitest/browser';
import { OnRampWidget } from '../../../src/sandbox/widget/on-ramp/OnRampWidget.js';
import { localService } from './localService.js';
import '../../../src/sandbox/checkout/tokens.css';
import '../../../src/sandbox/widget/styles/layout.css';
import '../../../src/sandbox/widget/styles/form.css';
import '../../../src/sandbox/widget/styles/field.css';
import '../../../src/sandbox/widget/styles/order.css';

export const wallet = '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e';

export function renderOnRampWidget(params: Record<string, string> = {}) {
  const local = localService(params);
  render(
    <StrictMode>
      <OnRampWidget session={local.session} client={local.service} />
    </StrictMode>,
  );
  return local;
}

export const root = () => document.querySelector('main') as HTMLElement;
export const expectState = (is: string) => waitFor(() => expect(root().dataset.state).toBe(is));
export const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
export const getOptions = (name: string) =>
  within(screen.getByRole('combobox', { name }))
    .getAllByRole('option')
    .map((option) => (option as HTMLOptionElement).value);
export const clickButton = (name: string | RegExp) =>
  userEvent.click(screen.getByRole('button', { name }));
export const getDescription = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

export async function continueToDetails(params: Record<string, string> = {}) {
  const local = renderOnRampWidget({ amount: '100', ...params });
  await clickButton('Continue');
  await screen.findByRole('heading', { name: 'Payment' });
  return local;
}
