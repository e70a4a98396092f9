// What a card shows, as one module that is fetched while the currencies are.
export { bindSelection } from './bindSelection.js';
export { createQuoteCardView } from './createQuoteCardView.js';
export { QuoteCard } from './QuoteCard.js';
