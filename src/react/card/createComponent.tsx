import {
  Component,
  type ForwardedRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type PropsWithoutRef,
  type ReactElement,
  type ReactNode,
  type RefAttributes,
} from 'react';
import { callIsolated } from '../../client/callIsolated.js';
import { chooseDisplay } from '../../client/checkout/chooseDisplay.js';
import type { CheckoutCallbacks, CheckoutDisplay } from '../../client/checkout/events.js';
import { completeMessages } from '../../client/completeMessages.js';
import { logFailure } from '../../client/dev/logFailure.js';
import { getOpenedCheckouts } from '../../client/pageCheckouts.js';
import { brokenEnglish } from '../../messages/BrokenMessages.js';
import type { RampError } from '../../protocol/errors/RampError.js';
import { fillText } from '../../protocol/fillText.js';
import type { Widget } from '../../protocol/widget/widgetParameters.js';
import { type RampSettings, useRampSettings } from '../provider/RampProvider.js';
import { isPageError } from './PageNodes.js';

/** The props that are needed when a component cannot be shown. */
interface GuardedProps extends Pick<RampSettings, 'api' | 'messages' | 'onEvent'> {
  readonly display?: CheckoutDisplay | 'auto' | undefined;
  readonly reference?: string | undefined;
}

/**
 * Creates a component of this package from a function that renders it, as `forwardRef` does. If rendering it or one of
 * its effects throws, only this component disappears, and in its place the shopper reads a sentence with the checkout's
 * reference. Without this, React would remove the whole page.
 *
 * An error thrown by the page's own nodes inside the component is not caught, because the page may have a boundary for
 * it.
 *
 * @param name - The component's name, because the page's bundler may have removed the function's name.
 * @param widget - Which widget a button opens. Omitted for a card, whose `onError` handles the DOM event.
 */
export function createComponent<Target, Props extends object>(
  name: string,
  render: (props: Props, ref: ForwardedRef<Target>) => ReactElement,
  widget?: Widget,
): ForwardRefExoticComponent<PropsWithoutRef<Props> & RefAttributes<Target>> {
  const Content = forwardRef(render as Parameters<typeof forwardRef<Target, Props>>[0]);
  const Guarded = forwardRef<Target, Props>((props, ref) => {
    const { api, messages, onEvent, display, reference }: GuardedProps = props;
    const settings = useRampSettings({ api, messages, onEvent });
    const onError = widget && (props as CheckoutCallbacks).onError;
    return (
      <>
        <Boundary
          name={name}
          widget={widget}
          api={settings.api}
          messages={settings.messages}
          onEvent={settings.onEvent}
          onError={onError}
          display={display}
          reference={reference}
        >
          <Content {...props} ref={ref} />
        </Boundary>
        {/* React inserts before this element. Otherwise it would insert before the next text of the page, and fail if a
            browser has translated it. A boundary replaces all of its children, so the element is not one of them. */}
        <span hidden />
      </>
    );
  });
  Guarded.displayName = name;
  return Guarded;
}

interface BoundaryProps extends GuardedProps, Pick<CheckoutCallbacks, 'onError'> {
  readonly name: string;
  readonly widget: Widget | undefined;
  readonly children: ReactNode;
}

interface BoundaryState {
  /** What was thrown, in an object, because a page may throw `undefined`. */
  readonly caught?: { readonly cause: unknown };
}

/** Shows the sentence in place of its children once they have thrown, and reports the error. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {};
  /** The error that was reported. */
  #reported: BoundaryState['caught'];

  static getDerivedStateFromError(cause: unknown): BoundaryState {
    return { caught: { cause } };
  }

  override componentDidCatch(cause: unknown): void {
    if (isPageError(cause) || this.#reported) return;
    this.#reported = this.state.caught;
    const { name, widget = 'on-ramp', onError, onEvent } = this.props;
    const display = chooseDisplay(this.props.display);
    const error = createRenderError(name, cause);
    const reference = findReference(this.props);
    logFailure(error);
    callIsolated(() => onError?.(error));
    callIsolated(() => onEvent?.({ type: 'failed', widget, display, reference, error }));
  }

  override render(): ReactNode {
    const { caught } = this.state;
    if (caught && isPageError(caught.cause)) throw caught.cause;
    // The sentence could not be shown either, and React would try again endlessly.
    if (caught && this.#reported && caught !== this.#reported) throw caught.cause;
    if (!caught) return this.props.children;
    return (
      <span className="ramp-note" role="alert">
        {describeBroken(this.props)}
      </span>
    );
  }
}

/** Returns the sentence for the shopper. It must not throw, even if the page's messages caused the error. */
function describeBroken(props: GuardedProps): string {
  try {
    const { broken, brokenCheckout } = completeMessages(brokenEnglish, props.messages);
    const reference = findReference(props);
    return reference ? fillText(brokenCheckout, { reference }) : `${broken}`;
  } catch {
    return brokenEnglish.broken;
  }
}

/** Returns the reference of the checkout that the component shows, or else of the last one that this tab opened. */
const findReference = ({ reference, api }: GuardedProps): string | undefined =>
  reference ?? getOpenedCheckouts(api)[0];

/** Creates a RampError without its class, which a page with a button loads only later. isRampError() accepts it. */
const createRenderError = (name: string, cause: unknown): RampError =>
  Object.assign(new Error(`${name} could not be shown; see the cause.`, { cause }), {
    name: 'RampError',
    code: 'ERR_RENDER',
  }) as RampError;
