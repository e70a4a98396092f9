import '@partner-ramp/react/styles.css';
import type { ReactNode } from 'react';

export const metadata = { title: 'Top up', icons: 'data:,' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
