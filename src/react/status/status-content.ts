// What a card shows, as one module that is fetched while the backend is asked.
export { StatusBody } from './StatusBody.js';
export { StatusHead } from './StatusHead.js';
export { createStatusView } from './statusView.js';
export { describeStatus } from './statusWords.js';
