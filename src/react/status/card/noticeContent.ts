// The parts of the status card that the notice beside a button uses. They are a separate chunk, because the whole card
// includes the code that opens a widget again, which a button has already.
export { focusCard } from '../../card/focusCard.js';
export { getCardOf, subscribeShownCheckouts } from '../shownCheckouts.js';
export { createStatusView, describeStatus } from './statusView.js';
