import type { BackendSettings } from '../backend/fetchBackend.js';
import type { CheckoutOptions, CheckoutSettings, ServiceSettings } from './CheckoutSettings.js';
import type { CheckoutCallbacks } from './events.js';
import type { FrameOptions } from './view.js';

/** Lists the names of `Settings`. A list that misses one does not compile. */
const listNames =
  <Settings>() =>
  <Names extends readonly (keyof Settings)[]>(
    names: Exclude<keyof Settings, Names[number]> extends never
      ? Names
      : readonly Exclude<keyof Settings, Names[number]>[],
  ) =>
    names as readonly string[];

/** A checkout's settings, grouped as in Storybook. Buttons do not pass these props on to their element. */
export const settingGroups = {
  backend: listNames<BackendSettings>()(['api', 'credentials', 'headers', 'fetch'] as const),
  checkout: listNames<Omit<CheckoutSettings, keyof BackendSettings>>()([
    'widgetUrl',
    'signer',
    'messages',
    'language',
    'partnerId',
    'autoDisplays',
    'maxAgeSeconds',
    'onEvent',
    'onStatusChange',
  ] as const),
  service: listNames<ServiceSettings>()(['windowOpenName'] as const),
  frame: listNames<FrameOptions>()(['allow', 'sandbox', 'referrerPolicy'] as const),
  callbacks: listNames<CheckoutCallbacks>()([
    'onOpen',
    'onLoad',
    'onClose',
    'onBlocked',
    'onError',
  ] as const),
  opening: listNames<Pick<CheckoutOptions, 'extraParams' | 'display'>>()([
    'extraParams',
    'display',
  ] as const),
};

/** The names of all settings of a checkout, without the parameters of its widget. */
export const settingNames: readonly string[] = Object.values(settingGroups).flat();
