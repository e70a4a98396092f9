/**
 * Loads the content of the price card, and react-query. A bundler fails on a static import that it cannot resolve, even
 * for a page that has only a button. It tolerates an unresolved import() inside a `try`.
 */
export async function loadQuoteCard() {
  const loadingCard = import('./card/QuoteCard.js');
  // Prevent an unhandled rejection if this import fails before the code below awaits it.
  loadingCard.catch(() => {});
  let failure: unknown;
  try {
    // Destructure the module, so that bundlers omit its other exports.
    const { useQuery, onlineManager, QueryClient, QueryClientContext, QueryClientProvider } =
      await import('@tanstack/react-query');
    const { QuoteCard } = await loadingCard;
    const reactQuery = {
      useQuery,
      onlineManager,
      QueryClient,
      QueryClientContext,
      QueryClientProvider,
    };
    return { QuoteCard, reactQuery };
  } catch (error) {
    failure = error;
  }
  throw (await loadingCard).toLibraryError(failure);
}
