import { useLayoutEffect, useRef } from 'react';

/**
 * The heading of a screen. A new screen puts the focus here: it is read out, and the next Tab goes
 * on from the top. The first screen leaves the focus where the shop has it.
 */
export function Title({
  children,
  takesFocus = true,
}: {
  children: string;
  takesFocus?: boolean | undefined;
}) {
  const ref = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [takesFocus]);
  return (
    <h1 ref={ref} tabIndex={-1}>
      {children}
    </h1>
  );
}
