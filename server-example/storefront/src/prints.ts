import type { FunctionComponent } from 'react';
import { Allotments } from './art/Allotments.js';
import type { Random } from './art/createRandom.js';
import { FirstRain } from './art/FirstRain.js';
import { Ridges } from './art/Ridges.js';
import { SeedHead } from './art/SeedHead.js';
import { Survey } from './art/Survey.js';
import { WestWind } from './art/WestWind.js';

export interface Print {
  /** The number the print is drawn from; the token's id too. */
  readonly tokenId: string;
  readonly title: string;
  readonly Art: FunctionComponent<{ random: Random; width?: number; height?: number }>;
  /** Wider than a sheet. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** A print with a price, a decimal string. */
export interface PricedPrint extends Print {
  readonly price: string;
}

/** What prices are in: what the top-up card buys unless told otherwise. */
export const PRICE_CURRENCY = 'USDT';

/** The large one beside the headline; not for sale. */
export const featured: Print = {
  tokenId: '2209',
  title: 'Eight Ridges, Evening',
  Art: Ridges,
  size: { width: 800, height: 450 },
};

export const prints: readonly PricedPrint[] = [
  { tokenId: '0175', title: 'Survey of a Quiet Hill', Art: Survey, price: '180' },
  { tokenId: '0386', title: 'West Wind, Four O’Clock', Art: WestWind, price: '240' },
  { tokenId: '0597', title: 'Seed Head, Late August', Art: SeedHead, price: '160' },
  { tokenId: '0919', title: 'Ridges Before Rain', Art: Ridges, price: '210' },
  { tokenId: '1093', title: 'First Rain on the Pond', Art: FirstRain, price: '140' },
  { tokenId: '1378', title: 'Allotments from Above', Art: Allotments, price: '320' },
];
