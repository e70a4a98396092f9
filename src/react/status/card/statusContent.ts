// The content of the card as one chunk, loaded while the backend is requested.

export { createStatusView } from './createStatusView.js';
export { describeStatus } from './describeStatus.js';
export { StatusBody } from './StatusBody.js';
export { StatusHead } from './StatusHead.js';
