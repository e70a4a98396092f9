// The content of the card as one chunk, loaded while the currencies are requested.
export { bindSelection } from './bindSelection.js';
export { createQuoteCardView } from './createQuoteCardView.js';
export { QuoteCard } from './QuoteCard.js';
