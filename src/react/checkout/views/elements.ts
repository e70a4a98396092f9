/** Creates an element of the dialog. */
export function createDomElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  text = '',
) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Creates a button of the dialog. */
export function createDomButton(
  className: string,
  text: string,
  onClick: () => void,
): HTMLButtonElement {
  const made = createDomElement('button', className, text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}
