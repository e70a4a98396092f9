import { createHttpSigner } from '../client/backend/createHttpSigner.js';
import { normalizeApi } from '../client/backend/fetchBackend.js';
import type {
  CheckoutSettings,
  ServiceSettings,
  SessionOptions,
} from '../client/checkout/CheckoutSettings.js';
import type {
  CheckoutBlocked,
  CheckoutClosed,
  CheckoutDisplay,
  CheckoutFailed,
  CheckoutLoaded,
  CheckoutOpened,
} from '../client/checkout/events.js';
import { createCheckoutSession, type SessionState } from '../client/checkout/session.js';
import type { FrameOptions } from '../client/checkout/views/panel.js';
import type { OnRampRow, ParameterProps } from '../client/params/OnRampParameters.js';
import { onRampSigned, onRampUnsigned } from '../client/params/parameterNames.js';
import { pickParams } from '../client/params/pickParams.js';
import type { CheckoutResponse } from '../protocol/handler/CheckoutResponse.js';
import { checkoutCode } from './checkoutCode.js';
import type { showNote } from './showNote.js';

/** The settings of a {@link RampButtonElement} that are not attributes, and defaults of those that are. */
export interface RampButtonSettings
  extends Omit<CheckoutSettings, 'onEvent' | 'onStatusChange'>,
    ServiceSettings,
    FrameOptions,
    Pick<SessionOptions, 'extraParams' | 'display'> {}

type OnRampParameters = ParameterProps<OnRampRow>;
type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * The events of `<ramp-button>`, with a {@link CheckoutEvent} as `detail`. They bubble, also out of a shadow tree, so an
 * ancestor can listen.
 */
export interface RampButtonEventMap {
  /** The widget was opened. `detail` has the `reference` of a signed checkout. */
  'ramp-opened': CustomEvent<CheckoutOpened>;
  /** The widget's frame loaded a document, even an error page. Never sent for a window or a redirect. */
  'ramp-loaded': CustomEvent<CheckoutLoaded>;
  /** The widget is no longer shown. This does not tell whether the shopper cancelled or paid. */
  'ramp-closed': CustomEvent<CheckoutClosed>;
  /** The browser blocked the window, and a link replaces it. */
  'ramp-blocked': CustomEvent<CheckoutBlocked>;
  /** The widget could not be opened, or something failed while it was open. `detail.error` says what. */
  'ramp-failed': CustomEvent<CheckoutFailed>;
  /** The state of a checkout, and each change of it. Sent only if the element has the attribute `watch`. */
  'ramp-status-change': CustomEvent<CheckoutResponse>;
}

/**
 * The custom element `<ramp-button>`: a button that opens the on-ramp widget, without React. If it has an `api` or a
 * signer, your backend signs the checkout.
 *
 * Every on-ramp parameter (docs/service-interface.md section 4.7) is a property, and an attribute in kebab case, such
 * as `crypto-currency="BTC"`. A property replaces the attribute. The content of the element is the label of its button.
 *
 * The attribute `data-state` has the state of the checkout: `idle`, `signing`, `open`, `blocked` or `error`. Errors and
 * notices are shown below the button, as `<OnRampButton>` shows them.
 *
 * @example
 * <ramp-button widget-url="https://pay.example" api="/api/ramp" crypto-currency="BTC">Buy Bitcoin</ramp-button>
 */
export interface RampButtonElement extends HTMLElement, Writable<OnRampParameters> {
  /** The service's widget URL, without `/home`. It must be `https:`, except on loopback, where `http:` is allowed. */
  widgetUrl: string | undefined;
  /** Base path or URL of the backend's ramp handler. */
  api: string | undefined;
  /**
   * Where the widget is shown. With `inline`, it is shown in the child with `slot="inline"`, which is created if there
   * is none. @default 'modal'
   */
  display: CheckoutDisplay | undefined;
  /** Whether the button is disabled. @default false */
  disabled: boolean | undefined;
  /** Whether the element follows each checkout until it is terminal, and sends `ramp-status-change`. @default false */
  watch: boolean | undefined;
  /** The other settings: messages, headers, a signer. Several elements can share one object. @default none */
  settings: RampButtonSettings | undefined;
  /** The state of the last checkout. `status` does not tell whether the checkout is paid. */
  readonly state: Pick<SessionState, 'status' | 'error' | 'url' | 'reference'>;
  /** Opens the widget. Call it during a click, or the browser may block a new window. */
  open(display?: CheckoutDisplay): void;
  /** Closes the widget, aborts a pending opening, or removes the link that replaces a blocked window. */
  close(): void;
}

/** The properties, which are also attributes, except for `settings`. */
const names =
  `${onRampSigned} ${onRampUnsigned} widgetUrl api display watch disabled settings`.split(' ');

// There is no HTMLElement on a server, but a page that is rendered there may import this module.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

function create(tag: string, attributes: Record<string, string>, ...children: (Node | string)[]) {
  const element = document.createElement(tag);
  for (const name in attributes) element.setAttribute(name, attributes[name] as string);
  element.append(...children);
  return element;
}

class RampButton extends Base {
  static readonly observedAttributes = ['disabled'];

  state: SessionState = { status: 'idle' };
  /** The values of the properties that the page has set. */
  readonly given: Record<string, unknown> = {};
  readonly #label = create('slot', {});
  readonly #button = create('button', { type: 'button', part: 'button' }, this.#label);
  /** Shows an error if the code that shows errors could not be loaded. */
  #note: HTMLElement | undefined;
  readonly #session = createCheckoutSession(
    this.#readOptions(),
    (state) => this.#show(state),
    checkoutCode,
  );

  constructor() {
    super();
    const button = this.#button;
    button.onclick = (event) => event.defaultPrevented || this.open();
    button.onpointerenter = button.onfocus = (event) => {
      this.update();
      if (!this['disabled' as never]) this.#session.controls.prefetch(event);
    };
    // Notes and the inline widget are children of this element, so that the stylesheet of the page applies to them.
    this.attachShadow({ mode: 'open' }).append(
      button,
      create('slot', { name: 'note' }),
      create('slot', { name: 'inline' }),
    );
  }

  connectedCallback(): void {
    // A page may have set properties before this class was defined. Call their setters now.
    const early = this as unknown as Record<string, unknown>;
    for (const name of names)
      if (Object.hasOwn(early, name)) {
        const value = early[name];
        delete early[name];
        early[name] = value;
      }
    // A line break between the tags is no label.
    if (!this.firstElementChild && !this.textContent?.trim()) this.textContent = '';
    this.#show(this.state);
    this.update();
    this.#check();
    // Load the code before the click, because a finger does not hover. Safari has no requestIdleCallback.
    (window.requestIdleCallback ?? setTimeout)(() => this.isConnected && checkoutCode.preload());
  }

  disconnectedCallback(): void {
    // An element that moves is connected again at once. Its checkout stays open.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#session.dispose();
      this.#session.watches?.abort();
    });
  }

  attributeChangedCallback(): void {
    this.update();
  }

  override focus(options?: FocusOptions): void {
    this.#button.focus(options);
  }

  open(display?: CheckoutDisplay): void {
    this.update();
    this.#check();
    const { options, controls } = this.#session;
    if ((display ?? options.display) === 'inline') {
      const container = this.querySelector<HTMLElement>('[slot=inline]');
      controls.inlineRef(container ?? this.appendChild(create('div', { slot: 'inline' })));
    }
    controls.open(display, this);
  }

  close(): void {
    this.#session.controls.close();
  }

  /** Reads the attributes and properties again. */
  update(): void {
    const options = this.#readOptions();
    this.#session.options = options;
    this.#label.textContent = options.messages?.buy ?? 'Buy crypto';
    this.#button.toggleAttribute('disabled', !!this['disabled' as never]);
  }

  /** Warns in development about wrong settings. The import gives a framework time to set all of them. */
  #check(): void {
    if (process.env.NODE_ENV !== 'production')
      import('../react/dev/checkProps.js').then(
        ({ checkProps }) => this.isConnected && checkProps(this.#session.options),
      );
  }

  #readOptions(): SessionOptions {
    const props: Record<string, unknown> = { ...(this['settings' as never] as object) };
    for (const name of names) {
      const value = this[name as never];
      if (value != null) props[name] = value;
    }
    const [signedParams, others] = pickParams(props, onRampSigned);
    const [unsignedParams, settings] = pickParams(others, onRampUnsigned);
    const { api, watch } = settings;
    if (api != null) {
      settings.api = normalizeApi(api as string);
      settings.signer ??= createHttpSigner({ ...settings, url: api as string });
    }
    const emit = (type: string, detail: unknown) =>
      this.dispatchEvent(
        new CustomEvent(`ramp-${type}`, { detail, bubbles: true, composed: true }),
      );
    return {
      ...settings,
      widget: 'on-ramp',
      signedParams,
      unsignedParams,
      onEvent: (event) => emit(event.type, event),
      onStatusChange: watch ? (checkout) => emit('status-change', checkout) : undefined,
    };
  }

  #show(state: SessionState): void {
    const { options, Note } = this.#session;
    const { messages } = options;
    const { status, error } = state;
    this.state = state;
    this.dataset.state = status;
    this.#button.setAttribute('aria-busy', `${status === 'signing'}`);
    this.#note?.remove();
    if (Note) (Note as typeof showNote)(this, state, messages);
    else if (error)
      this.#note = this.appendChild(
        create(
          'span',
          { slot: 'note', class: 'ramp-note', role: 'alert' },
          messages?.reload ?? error.message,
        ),
      );
  }
}

for (const name of names)
  Object.defineProperty(RampButton.prototype, name, {
    get(this: RampButton) {
      const value =
        this.given[name] ??
        this.getAttribute(name.replace(/[A-Z]/g, '-$&')) ??
        // HTML is not case-sensitive: `cryptoCurrency="BTC"` sets the attribute `cryptocurrency`.
        this.getAttribute(name) ??
        undefined;
      // The flags are windowOpen, walletAddressLocked, walletAddressHidden, watch and disabled.
      return value === '' && /[OLH]|ch|led/.test(name) ? true : value;
    },
    set(this: RampButton, value: unknown) {
      this.given[name] = value;
      this.update();
    },
  });

/** The class of `<ramp-button>`, such as for `instanceof`. */
export const RampButtonElement = RampButton as unknown as new () => RampButtonElement;
