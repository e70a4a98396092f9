// What the notice beside a button needs of the status card. It is a chunk of its own, because the card can open the
// widget again, and a button has that code already.
export { focusCard } from '../../card/focusCard.js';
export { getCardOf, subscribeShownCheckouts } from '../shownCheckouts.js';
export { createStatusView, describeStatus } from './statusView.js';
