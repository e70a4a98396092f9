/** A shortened address or order number. Screen readers get the whole text, others see it when they point at it. */
export const ShortText = ({ children }: { readonly children: string }) => (
  <bdi className="short-text" title={children}>
    <span aria-hidden="true">
      {children.slice(0, 6)}…{children.slice(-4)}
    </span>
    <span className="visually-hidden">{children}</span>
  </bdi>
);
