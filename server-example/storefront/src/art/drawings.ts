import type { FunctionComponent } from 'react';
import { Allotments } from './Allotments.js';
import type { Random } from './createRandom.js';
import { FirstRain } from './FirstRain.js';
import { Ridges } from './Ridges.js';
import { SeedHead } from './SeedHead.js';
import { Survey } from './Survey.js';
import { WestWind } from './WestWind.js';

/** The drawing of a print. The server has the titles and prices of the prints for sale. */
export interface PrintDrawing {
  /** The number that the print is drawn from. */
  readonly number: string;
  readonly Art: FunctionComponent<{ random: Random; width?: number; height?: number }>;
  /** The size, if it differs from that of a sheet. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** The large print beside the headline, which is not for sale. */
export const featuredDrawing: PrintDrawing & { readonly title: string } = {
  number: '2209',
  title: 'Eight Ridges, Evening',
  Art: Ridges,
  size: { width: 800, height: 450 },
};

export const drawings: readonly PrintDrawing[] = [
  { number: '0175', Art: Survey },
  { number: '0386', Art: WestWind },
  { number: '0597', Art: SeedHead },
  { number: '0919', Art: Ridges },
  { number: '1093', Art: FirstRain },
  { number: '1378', Art: Allotments },
];
