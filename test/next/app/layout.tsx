import '@partner-ramp/react/styles.css';
import { RampProvider } from '@partner-ramp/react';
import { messages } from '@partner-ramp/react/messages/de';
import type { ReactNode } from 'react';
import { Queries } from './Queries';

/** A server component that renders the provider. Only the page's QueryClient needs a client component. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="de">
      <body>
        <Queries>
          <RampProvider
            widgetUrl={process.env.RAMP_WIDGET_URL}
            api="/api/ramp"
            language="de"
            messages={messages}
          >
            {children}
          </RampProvider>
        </Queries>
      </body>
    </html>
  );
}
