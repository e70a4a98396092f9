import { createHttpSigner } from '../client/backend/createHttpSigner.js';
import { normalizeApi } from '../client/backend/fetchBackend.js';
import type {
  CheckoutOptions,
  CheckoutSettings,
  ServiceSettings,
} from '../client/checkout/CheckoutSettings.js';
import { checkoutCode } from '../client/checkout/checkoutCode.js';
import type { CheckoutState } from '../client/checkout/checkoutStates.js';
import { chooseDisplay } from '../client/checkout/chooseDisplay.js';
import { createCheckout } from '../client/checkout/createCheckout.js';
import type {
  CheckoutBlocked,
  CheckoutClosed,
  CheckoutDisplay,
  CheckoutFailed,
  CheckoutLoaded,
  CheckoutOpened,
} from '../client/checkout/events.js';
import type { FrameOptions } from '../client/checkout/view.js';
import type { OnRampRow, ParameterProps } from '../client/params/OnRampParameters.js';
import { parameterNames } from '../client/params/parameterNames.js';
import { pickParams } from '../client/params/pickParams.js';
import { sortParams } from '../client/params/sortParams.js';
import { buy } from '../messages/EntryMessages.js';
import type { CheckoutResponse } from '../protocol/handler/CheckoutResponse.js';
import { OWN_PART } from './NoteHost.js';
import { noteCode, showNote } from './showNote.js';

/** The settings of a {@link RampButtonElement} that are not attributes, and defaults for those that are. */
export interface RampButtonSettings
  extends Omit<CheckoutSettings, 'onEvent' | 'onStatusChange'>,
    ServiceSettings,
    FrameOptions,
    Pick<CheckoutOptions, 'extraParams' | 'display'> {}

type OnRampParameters = ParameterProps<OnRampRow>;
type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * The events of `<ramp-button>`, with a {@link CheckoutEvent} as `detail`. They bubble, even out of a shadow tree, so
 * an ancestor can listen.
 */
export interface RampButtonEventMap {
  /** The widget was opened. `detail` contains the `reference` of a signed checkout. */
  'ramp-opened': CustomEvent<CheckoutOpened>;
  /** The widget's frame loaded a document, even an error page. Never sent for a window or a redirect. */
  'ramp-loaded': CustomEvent<CheckoutLoaded>;
  /** The widget is no longer shown. This does not say whether the shopper cancelled or paid. */
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
 * Every on-ramp parameter (service interface, section 4.7) is a property, and an attribute in kebab case, such
 * as `crypto-currency="BTC"`. A property replaces the attribute. The content of the element is the label of its button.
 *
 * The attribute `data-state` reports the checkout's state: `idle`, `signing`, `open`, `blocked` or `error`. Errors and
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
   * is none. With `auto`, the kind of browser decides, as `settings.autoDisplays` says. @default 'modal'
   */
  display: CheckoutDisplay | 'auto' | undefined;
  /** Whether the button is disabled. @default false */
  disabled: boolean | undefined;
  /** Whether the element follows each checkout until it is terminal, and sends `ramp-status-change`. @default false */
  watch: boolean | undefined;
  /** The other settings: messages, headers, a signer. Several elements can share one object. @default none */
  settings: RampButtonSettings | undefined;
  /** The state of the last checkout. `status` does not say whether the checkout is paid. */
  readonly state: Pick<CheckoutState, 'status' | 'error' | 'url' | 'reference'>;
  /** Opens the widget. Call it during a click, because the browser may otherwise block a new window. */
  open(display?: CheckoutDisplay): void;
  /** Closes the widget, aborts a pending opening, or removes the link that replaces a blocked window. */
  close(): void;
}

/** The properties that are attributes too. */
const attributeNames = [
  ...parameterNames['on-ramp'].signed,
  ...parameterNames['on-ramp'].unsigned,
  'widgetUrl',
  'api',
  'display',
  'watch',
  'disabled',
];
/** The attributes that are on without a value, as `disabled` is. */
const flagNames = new Set([
  'windowOpen',
  'walletAddressLocked',
  'walletAddressHidden',
  'watch',
  'disabled',
]);
const propertyNames = [...attributeNames, 'settings'];

// There is no HTMLElement on a server, but a page that is rendered there may import this module.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

function create(tag: string, attributes: Record<string, string>, ...children: (Node | string)[]) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

class RampButton extends Base {
  static readonly observedAttributes = ['disabled', 'aria-label'];
  /** A disabled `<fieldset>` disables the button too. */
  static readonly formAssociated = true;

  /** The values of the properties that the page has set. */
  readonly given: Record<string, unknown> = {};
  readonly #label = create('slot', {});
  readonly #button = create('button', { type: 'button', part: 'button' }, this.#label);
  readonly #checkout = createCheckout(this.#readOptions(), checkoutCode);
  #isClean = false;
  #isInDisabledFieldset = false;

  constructor() {
    super();
    const button = this.#button;
    button.addEventListener('click', (event) => {
      if (!event.defaultPrevented) this.open();
    });
    // Calling `click()` or clicking the element's label does not reach the inner button.
    this.addEventListener('click', (event) => {
      if (event.composedPath()[0] === this && !event.defaultPrevented && !this.#isDisabled())
        this.open();
    });
    const prefetch = (event: Event) => {
      this.update();
      if (!this.#isDisabled()) this.#checkout.prefetch(event);
    };
    button.addEventListener('pointerenter', prefetch);
    button.addEventListener('focus', prefetch);
    // Notes and the inline widget are children of this element, so that the page's stylesheet applies to them.
    this.attachShadow({ mode: 'open', delegatesFocus: true }).append(
      button,
      create('slot', { name: 'note' }),
      create('slot', { name: 'inline' }),
    );
    this.#checkout.subscribe(() => this.#show());
  }

  get state(): CheckoutState {
    return this.#checkout.getSnapshot();
  }

  connectedCallback(): void {
    if (!this.#isClean) removeSavedParts(this);
    this.#isClean = true;
    this.#callEarlySetters();
    // A line break between the tags is not a label.
    if (!this.firstElementChild && !this.textContent?.trim()) this.textContent = '';
    this.#show();
    this.update();
    this.#check();
    const preload = () => {
      if (!this.isConnected) return;
      checkoutCode.preload();
      noteCode.preload();
    };
    // Load the code before the click, because a finger does not hover. Safari has no requestIdleCallback.
    if (window.requestIdleCallback) window.requestIdleCallback(preload);
    else setTimeout(preload);
  }

  disconnectedCallback(): void {
    // An element that is moved is reconnected immediately, and its checkout stays open.
    queueMicrotask(() => {
      if (!this.isConnected) this.#checkout.dispose();
    });
  }

  attributeChangedCallback(): void {
    this.update();
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#isInDisabledFieldset = isDisabled;
    this.update();
  }

  open(display?: CheckoutDisplay): void {
    this.update();
    this.#check();
    const { options } = this.#checkout;
    const chosen = chooseDisplay(display ?? options.display, options.autoDisplays);
    if (chosen === 'inline') {
      const container = this.querySelector<HTMLElement>(':scope > [slot=inline]');
      this.#checkout.container =
        container ?? this.appendChild(create('div', { slot: 'inline', [OWN_PART]: '' }));
    }
    this.#checkout.open({ display: chosen, trigger: this });
  }

  close(): void {
    this.#checkout.close();
  }

  /** Reads the attributes and properties again. */
  update(): void {
    const options = this.#readOptions();
    this.#checkout.options = options;
    this.#label.textContent = options.messages?.buy ?? buy;
    this.#button.toggleAttribute('disabled', this.#isDisabled());
    const label = this.getAttribute('aria-label');
    if (label === null) this.#button.removeAttribute('aria-label');
    else this.#button.setAttribute('aria-label', label);
  }

  /** Returns the value of a property: what the page has set, or else the attribute. */
  read(name: string): unknown {
    const value =
      this.given[name] ??
      this.getAttribute(name.replace(/[A-Z]/g, '-$&')) ??
      // HTML is not case-sensitive: `cryptoCurrency="BTC"` sets the attribute `cryptocurrency`.
      this.getAttribute(name) ??
      undefined;
    return value === '' && flagNames.has(name) ? true : value;
  }

  #isDisabled(): boolean {
    return this.#isInDisabledFieldset || Boolean(this.read('disabled'));
  }

  /** Calls the setters of properties that the page had set before this class was defined. */
  #callEarlySetters(): void {
    const early = this as unknown as Record<string, unknown>;
    for (const name of propertyNames)
      if (Object.hasOwn(early, name)) {
        const value = early[name];
        delete early[name];
        early[name] = value;
      }
  }

  /** Warns in development about wrong settings. Awaiting the import gives a framework time to set all of them. */
  #check(): void {
    if (process.env.NODE_ENV !== 'production')
      import('../client/dev/checkProps.js').then(({ checkProps }) => {
        if (!this.isConnected) return;
        checkProps(this.#checkout.options, this.given);
      });
  }

  #readOptions(): CheckoutOptions {
    const settings: Record<string, unknown> = { ...(this.given.settings as object | undefined) };
    for (const name of attributeNames) {
      const value = this.read(name);
      if (value != null) settings[name] = value;
    }
    const { signed, unsigned } = parameterNames['on-ramp'];
    const [params, others] = pickParams(settings, [...signed, ...unsigned]);
    const { watch, disabled: _, ...given } = others as ElementSettings;
    const api = given.api == null ? undefined : normalizeApi(given.api);
    const emit = (name: keyof RampButtonEventMap, detail: unknown) =>
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    return {
      ...given,
      ...('api' in given && { api }),
      signer:
        given.signer ?? (api === undefined ? undefined : createHttpSigner({ ...given, url: api })),
      widget: 'on-ramp',
      ...sortParams('on-ramp', params),
      onEvent: (event) => emit(`ramp-${event.type}`, event),
      onStatusChange: watch ? (checkout) => emit('ramp-status-change', checkout) : undefined,
    };
  }

  #show(): void {
    const { state } = this;
    this.dataset.state = state.status;
    this.#button.setAttribute('aria-busy', `${state.status === 'signing'}`);
    showNote(this, state, this.#checkout.options.messages);
  }
}

interface ElementSettings extends RampButtonSettings {
  readonly watch?: unknown;
  readonly disabled?: unknown;
}

/**
 * Removes the parts that an earlier element added, in case the page inserts a clone or saved HTML, as htmx does on
 * Back. The earlier element's notes would stay forever, and its frame would load a used signature again.
 */
function removeSavedParts(element: HTMLElement): void {
  const own = `:scope > [${OWN_PART}], :scope > [slot=inline] > .ramp-inline`;
  for (const part of element.querySelectorAll(own)) part.remove();
}

for (const name of propertyNames)
  Object.defineProperty(RampButton.prototype, name, {
    get(this: RampButton) {
      return name === 'settings' ? this.given.settings : this.read(name);
    },
    set(this: RampButton, value: unknown) {
      this.given[name] = value;
      this.update();
    },
  });

/** The class of `<ramp-button>`, for use with `instanceof`. */
export const RampButtonElement = RampButton as unknown as new () => RampButtonElement;
