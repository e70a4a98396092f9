import { type Finding, ok, problem, skipped } from './Finding.js';
import { findRampCode, type Result, request, type Surroundings } from './request.js';

/**
 * Checks that the ramp handler responds at `--backend`, and that it allows each page. Only GET and OPTIONS requests are
 * sent, so no checkout is opened.
 *
 * @param backend - The URL at which the handler is mounted, without a trailing slash.
 * @param pages - The origins of the pages.
 */
export async function checkBackend(
  backend: string | undefined,
  pages: readonly string[],
  surroundings: Surroundings,
): Promise<Finding[]> {
  if (!backend)
    return (['backend', 'origin'] as const).map((check) =>
      skipped(check, 'Pass --backend URL, the address at which the ramp handler is mounted.'),
    );
  // Whatever its options are, the handler refuses every method but POST here, with a recognizable error code.
  const found = describeMount(await request(`${backend}/webhook`, {}, surroundings));
  if (found.status !== 'ok')
    return [found, skipped('origin', 'The ramp handler does not respond at --backend.')];
  if (pages.length === 0)
    return [found, skipped('origin', 'Pass --page ORIGIN, the origin of a page with the button.')];
  const origins = pages.map((page) => checkOrigin(backend, page, surroundings));
  return [found, ...(await Promise.all(origins))];
}

const MOUNT_CURE =
  'Pass the address at which the handler is mounted, such as https://shop.example/api/ramp.';

function describeMount(result: Result): Finding {
  if ('failure' in result) {
    const { message, cure } = result.failure;
    return problem('backend', `--backend ${message}`, cure);
  }
  const { status, isHtml } = result;
  const code = findRampCode(result);
  if (code && status === 405) return ok('backend', 'The ramp handler responds at --backend.');
  const refuse = (message: string, cure = MOUNT_CURE) =>
    problem('backend', `--backend ${message}`, cure);
  if (code && status === 404)
    return refuse(
      'leads to the ramp handler, which does not know the path.',
      'Pass the address at which the handler is mounted, and pass the same path to createRamp as basePath.',
    );
  if (status >= 300 && status < 400)
    return refuse(`redirects (${status}).`, 'Pass the address that it redirects to.');
  if (status >= 500)
    return refuse(
      `fails with ${status}${code ? ` (${code})` : ''}.`,
      "Read the server's log for the cause.",
    );
  if (status === 404) return refuse('is not a path of this server: it responds with 404.');
  if (isHtml)
    return refuse(`returns an HTML page (${status}) in place of JSON, so it is not the handler.`);
  if (code) return refuse(`does not respond as the handler's mount path does (${status} ${code}).`);
  return refuse(`responds with ${status} and not as the ramp handler does.`);
}

async function checkOrigin(
  backend: string,
  page: string,
  surroundings: Surroundings,
): Promise<Finding> {
  const result = await request(
    `${backend}/checkouts`,
    {
      method: 'OPTIONS',
      headers: {
        Origin: page,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    },
    surroundings,
  );
  if ('failure' in result) {
    const { message, cure } = result.failure;
    return problem('origin', `The preflight for ${page} ${message}`, cure);
  }
  const { status, headers } = result;
  const allowed = headers.get('access-control-allow-origin');
  if (status >= 300)
    return problem(
      'origin',
      `The preflight for ${page} gets the status ${status}.`,
      'Let OPTIONS requests reach the ramp handler, without a login or a redirect.',
    );
  if (allowed === '*')
    return problem(
      'origin',
      `The backend allows every origin with *, which browsers refuse for requests with cookies.`,
      'Remove the other CORS middleware, because the ramp handler sends these headers itself.',
    );
  if (allowed !== page)
    return problem(
      'origin',
      `The backend does not allow the pages of ${page}.`,
      "Add this origin to createRamp's allowedOrigins.",
    );
  if (headers.get('access-control-allow-credentials') !== 'true')
    return problem(
      'origin',
      `The backend allows ${page}, but not its cookies.`,
      'Remove the other CORS middleware, because the ramp handler sends these headers itself.',
    );
  return ok('origin', `The backend allows the pages of ${page}.`);
}
