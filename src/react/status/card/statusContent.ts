// What a card shows, as one module that is fetched while the backend is asked.

export { createStatusView } from './createStatusView.js';
export { describeStatus } from './describeStatus.js';
export { StatusBody } from './StatusBody.js';
export { StatusHead } from './StatusHead.js';
