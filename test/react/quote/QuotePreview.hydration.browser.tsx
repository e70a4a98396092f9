import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { quoteBackend, respondToAll } from '../../support/browser/quoteBackend.js';
import {
  expectState,
  field,
  hundred,
  previewPage,
} from '../../support/browser/quotePreviewPage.js';

it('hydrates the markup of the server without a warning, in any language', async () => {
  document.documentElement.lang = 'de';
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  quoteBackend(respondToAll);
  const page = previewPage({ defaultValue: { ...hundred, amount: '99.50' } });
  const container = document.createElement('div');
  container.innerHTML = renderToString(page);
  document.body.append(container);
  const onRecoverableError = vi.fn();
  const shown = await act(async () => hydrateRoot(container, page, { onRecoverableError }));
  await expectState('success');
  expect(field().value).toBe('99,50');
  expect(onRecoverableError).not.toHaveBeenCalled();
  expect(errors).not.toHaveBeenCalled();
  act(() => shown.unmount());
  container.remove();
  document.documentElement.lang = 'en';
});
