import { act, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { dialog } from './onRampButtonPage.js';

export const press = (name: string) => act(() => screen.getByRole('button', { name }).click());
export const newWindow = () => press('Open in a new window');
export const question = () => screen.queryByRole('alertdialog', { name: 'Have you already paid?' });
export const notice = () => document.querySelector('.ramp-notice');
export const gone = () => waitFor(() => expect(dialog()).toBeNull());
export const refusal = (status: number, code: string, message = 'no') =>
  Response.json({ error: { code, message } }, { status });
