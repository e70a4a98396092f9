// What a card shows, as one module that is fetched while the currencies are.
export { bindSelection } from './buttonSelection.js';
export { createQuoteCardView } from './cardView.js';
export { QuoteCard } from './QuoteCard.js';
