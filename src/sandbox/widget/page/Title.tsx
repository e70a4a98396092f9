import { useLayoutEffect, useRef } from 'react';

/**
 * Renders the heading of a screen. A new screen moves the focus here, so that screen readers announce it and
 * Tab continues from the top. The first screen does not move the focus, which the shop controls.
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
