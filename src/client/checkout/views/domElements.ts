export function createDomElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  text = '',
) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

export function createDomButton(
  className: string,
  text: string,
  onClick: () => void,
): HTMLButtonElement {
  const element = createDomElement('button', className, text);
  element.type = 'button';
  element.addEventListener('click', onClick);
  return element;
}
