// What a card shows, as one module that is fetched while the currencies are.
export { buttonSelection } from './buttonSelection.js';
export { cardView } from './cardView.js';
export { QuoteCard } from './QuoteCard.js';
