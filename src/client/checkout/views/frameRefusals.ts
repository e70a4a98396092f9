/** The fields of a `ReportingObserver`'s report that are read here. */
interface RefusalFields {
  readonly effectiveDirective?: string;
  readonly destination?: string;
  readonly disposition?: string;
  readonly blockedURL?: string;
}

/**
 * Watches the browser's reports about frames that it refuses to show. They cover the page's Content-Security-Policy and
 * embedder policy and, in Chromium, the service's `frame-ancestors`. They never cover `X-Frame-Options`, or an
 * unreachable service.
 *
 * @param origin - The origin of the frame's `src`.
 * @param hasJustLoaded - Whether the frame emitted `load` a moment ago, as a refused frame does too. If the service has
 * redirected the frame, the report names an origin that the page does not know, so only the timing shows that the
 * report is about this frame.
 * @param onRefused - Called with the cause and its fix.
 * @returns A function that stops watching.
 */
export function watchFrameRefusals(
  page: Document,
  origin: string,
  hasJustLoaded: () => boolean,
  onRefused: (cause: string) => void,
): () => void {
  const isOurs = (url: string | undefined) => parseOrigin(url) === origin || hasJustLoaded();
  const onViolation = (event: SecurityPolicyViolationEvent) => {
    const { effectiveDirective, disposition, blockedURI } = event;
    if (effectiveDirective !== 'frame-src' || disposition !== 'enforce') return;
    if (isOurs(blockedURI))
      onRefused(
        `The page's Content-Security-Policy refuses the checkout: add "frame-src ${parseOrigin(blockedURI) ?? origin}".`,
      );
  };
  page.addEventListener('securitypolicyviolation', onViolation);

  const onReport = ({ type, body }: Report) => {
    // In Chromium, the body of an embedder policy report exposes its fields only through `toJSON`.
    const report = (body as { toJSON?(): RefusalFields } | null)?.toJSON?.() ?? {};
    if (report.disposition !== 'enforce' || !isOurs(report.blockedURL)) return;
    if (type === 'coep' && report.destination === 'iframe')
      onRefused(
        'The page\'s Cross-Origin-Embedder-Policy refuses the checkout: remove it, or use display="window".',
      );
    else if (report.effectiveDirective === 'frame-ancestors')
      onRefused(
        `The service refuses to be framed (frame-ancestors): have ${page.location.origin} added to its list of domains, or use display="window".`,
      );
  };
  // Firefox, older versions of Safari, and jsdom have no ReportingObserver.
  const observer =
    typeof ReportingObserver === 'function'
      ? new ReportingObserver((reports) => {
          for (const report of reports) onReport(report as Report);
        })
      : undefined;
  observer?.observe();
  return () => {
    page.removeEventListener('securitypolicyviolation', onViolation);
    observer?.disconnect();
  };
}

function parseOrigin(uri: string | undefined): string | undefined {
  try {
    return new URL(`${uri}`).origin;
  } catch {
    return undefined;
  }
}
