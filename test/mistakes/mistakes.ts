import { buildMistakes } from './buildMistakes.js';
import type { Mistake } from './Mistake.js';
import { pageMistakes } from './pageMistakes.js';
import { productionMistakes } from './productionMistakes.js';
import { requestMistakes } from './requestMistakes.js';
import { serviceMistakes } from './serviceMistakes.js';
import { startMistakes } from './startMistakes.js';

export const mistakes: readonly Mistake[] = [
  ...startMistakes,
  ...requestMistakes,
  ...serviceMistakes,
  ...pageMistakes,
  ...buildMistakes,
  ...productionMistakes,
];
