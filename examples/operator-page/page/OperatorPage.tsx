import {
  type FormEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { CaseList } from './CaseList.js';
import { type Handled, OrderDrawer } from './OrderDrawer.js';
import { OrderList } from './OrderList.js';
import {
  describeError,
  type OrderFilter,
  parseHash,
  useOrders,
  useOverview,
  useRefreshes,
  useSearch,
} from './operatorData.js';
import { requestServer, toRequestInit } from './requestServer.js';
import { SearchForm } from './SearchForm.js';
import { type Search, SearchResults } from './SearchResults.js';
import { SyncLine, SyncStatus, WebhookTable } from './ServiceStatus.js';

const SESSION = '/api/operator/session';

interface OperatorPageProps {
  /** The name of the shop, in the header. */
  readonly brand: ReactNode;
}

export function OperatorPage({ brand }: OperatorPageProps) {
  const [isSignedIn, setIsSignedIn] = useState<boolean>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    requestServer<{ signedIn: boolean }>(SESSION).then(
      ({ signedIn }) => setIsSignedIn(signedIn),
      (error) => setProblem(describeError(error)),
    );
  }, []);
  const onSignedOut = useCallback(() => setIsSignedIn(false), []);
  const signOut = () => {
    requestServer(SESSION, toRequestInit('DELETE')).then(onSignedOut, (error) =>
      setProblem(describeError(error)),
    );
  };
  return (
    <>
      <header className="header operator-header page">
        {brand}
        {isSignedIn && (
          <button type="button" className="quiet-button" onClick={signOut}>
            Sign out
          </button>
        )}
      </header>
      <main className="page operator">
        <h1>Operator</h1>
        {problem && (
          <p className="error-message" role="alert">
            {problem}
          </p>
        )}
        {isSignedIn === false && <LoginForm onSignedIn={() => setIsSignedIn(true)} />}
        {isSignedIn && <OperatorDashboard onSignedOut={onSignedOut} />}
      </main>
    </>
  );
}

function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const signIn = (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setProblem('');
    requestServer(
      '/api/operator/session',
      toRequestInit('POST', { password: field.current?.value }),
    ).then(onSignedIn, (error) => {
      setIsBusy(false);
      setProblem(describeError(error));
      field.current?.select();
    });
  };
  return (
    <form className="login" onSubmit={signIn}>
      <label htmlFor="password">Password</label>
      <input
        ref={field}
        id="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
        aria-invalid={problem !== ''}
        aria-describedby="password-problem"
      />
      <p id="password-problem" className="error-message" role="alert">
        {problem}
      </p>
      <button type="submit" className="strong-button" aria-busy={isBusy}>
        Sign in
      </button>
    </form>
  );
}

/**
 * Renders the page of the signed-in operator. It refreshes automatically. Screen readers announce a refresh only if
 * something has changed.
 */
function OperatorDashboard({ onSignedOut }: { onSignedOut: () => void }) {
  const refreshes = useRefreshes(onSignedOut);
  const [filter, setFilter] = useState<OrderFilter>('all');
  const [search, setSearch] = useState<Search>({ text: '' });
  const { text } = search;
  const [handled, setHandled] = useState<Handled>();
  const overview = useOverview(refreshes);
  const { orders, isMore, showMore, announcement } = useOrders(filter, refreshes);
  const found = useSearch(text, refreshes);
  const { target, close } = useDrawerTarget();
  // Show the sections only when the overview and the orders are loaded, so that nothing moves.
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    if (overview && orders) setIsLoaded(true);
  }, [overview, orders]);
  return (
    <>
      <SyncLine overview={overview} refreshes={refreshes} />
      <SearchForm key={text} text={text} onSearch={(searched) => setSearch({ text: searched })} />
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {text !== '' && (
        <SearchResults
          search={search}
          findings={found.data}
          refusal={found.refusal}
          onClear={() => setSearch({ text: '' })}
        />
      )}
      {text === '' && isLoaded && overview && (
        <>
          <CaseList overview={overview} />
          <OrderList
            orders={orders}
            filter={filter}
            isMore={isMore}
            onFilter={setFilter}
            onMore={showMore}
          />
          <div className="operator-columns">
            <SyncStatus sync={overview.sync} />
            <WebhookTable webhooks={overview.webhooks} />
          </div>
        </>
      )}
      {target && (
        <OrderDrawer
          target={target}
          refreshes={refreshes}
          handled={handled}
          onHandled={setHandled}
          onClose={close}
        />
      )}
    </>
  );
}

/**
 * Returns the target that the drawer shows, and a function that closes the drawer. The target is in the hash of the
 * URL, so that a drawer can be linked.
 */
function useDrawerTarget() {
  const hash = useSyncExternalStore(subscribeHash, () => window.location.hash);
  const target = parseHash(hash);
  const close = useCallback(() => {
    if (!window.location.hash) return;
    history.pushState(null, '', window.location.pathname);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  }, []);
  return { target, close };
}

function subscribeHash(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}
