import type { BackendSettings } from '../../client/backend/fetchBackend.js';
import type { FrameOptions } from '../../client/checkout/view.js';
import { type RampSettings, useRampSettings } from '../provider/RampProvider.js';
import type { ContinueDisplay } from '../status/continue/ContinueCheckout.js';

/** The props of every card with "Continue checkout". */
export interface CardSettings
  extends BackendSettings,
    Pick<RampSettings, 'messages' | 'language' | 'widgetUrl'>,
    FrameOptions {
  /**
   * Where "Continue checkout" shows the widget of a checkout that waits for its payment. The button is shown only if
   * `widgetUrl` is known, as a prop or from {@link RampProvider}.
   *
   * @default 'modal'
   */
  readonly display?: ContinueDisplay | undefined;
}

/**
 * Splits the props of a card into two objects: its settings, completed with those of the provider, and the other props.
 */
export function useCardSettings<Props extends CardSettings>(props: Props) {
  const {
    api,
    credentials,
    headers,
    fetch,
    messages,
    language,
    widgetUrl,
    display,
    allow,
    sandbox,
    referrerPolicy,
    ...own
  } = props;
  const settings = useRampSettings({
    api,
    credentials,
    headers,
    fetch,
    messages,
    language,
    widgetUrl,
  });
  return {
    settings: { ...settings, display, allow, sandbox, referrerPolicy },
    own,
  };
}
