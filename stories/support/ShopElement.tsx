import type { DetailedHTMLProps } from 'react';
import { RampButtonElement, type RampButtonSettings } from '../../src/element/RampButtonElement.js';
import { useRamp } from '../../src/index.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'ramp-button': DetailedHTMLProps<HTMLAttributes<RampButtonElement>, RampButtonElement> &
        ShopElementProps & {
          'widget-url'?: string | undefined;
          api?: string | undefined;
          'crypto-currency'?: string;
          settings?: RampButtonSettings;
        };
    }
  }
}

// The module of the entry does this too. But a build of the stories leaves out modules of src that are imported for their
// effects only.
if (!customElements.get('ramp-button')) customElements.define('ramp-button', RampButtonElement);

export interface ShopElementProps {
  readonly amount?: string | undefined;
  readonly display?: 'modal' | 'inline' | 'window' | undefined;
  readonly disabled?: boolean | undefined;
  readonly children?: string | undefined;
}

/** `<ramp-button>` as a page without React writes it, with the addresses and texts of the stories. */
export function ShopElement(props: ShopElementProps) {
  const { widgetUrl, api, messages, language } = useRamp();
  return (
    <ramp-button
      widget-url={widgetUrl}
      api={api}
      crypto-currency="USDT_ERC20"
      settings={{ messages, language }}
      {...props}
    />
  );
}
