import { userEvent, within } from 'storybook/test';

/** Clicks the only button of a story and returns it. */
export const pressButton = async (canvas: HTMLElement) => {
  const button = within(canvas).getByRole('button');
  await userEvent.click(button);
  return button;
};
