// The parts of the status card that the notice beside a button uses. They are a separate chunk, because the whole card
// includes code that a button already has: the code that opens a widget again.
export { focusCard } from '../focusCard.js';
export { getCardOf, subscribeShownCheckouts } from '../stores/shownCheckouts.js';
export { createStatusView, describeStatus } from './statusView.js';
