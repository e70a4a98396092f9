<?php

/**
 * A backend for the checkout components: GET and POST /api/ramp/checkouts, GET /api/ramp/checkouts/:reference and
 * POST /api/ramp/webhook. sync.php reads the order list.
 *
 *     php -S 127.0.0.1:8080 server.php
 */

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/settings.php';
require_once __DIR__ . '/signer.php';
require_once __DIR__ . '/policy.php';
require_once __DIR__ . '/checkouts.php';
require_once __DIR__ . '/orders.php';
require_once __DIR__ . '/webhook.php';

[$status, $body] = respond();
http_response_code($status);
header('Content-Type: application/json');
header('Cache-Control: no-store');
header('X-Content-Type-Options: nosniff');
echo json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);

/**
 * Handles the request. An error that the page can handle is sent to the page. Every other error is logged.
 *
 * @return array{int, array<string, mixed>|object} status and body
 */
function respond(): array
{
    try {
        $path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
        $isRead = $_SERVER['REQUEST_METHOD'] === 'GET';
        if ($isRead && preg_match('#^/api/ramp/checkouts/([A-Za-z0-9._-]{1,128})$#D', $path, $match) === 1) {
            return [200, readCheckout($match[1])];
        }

        if ($isRead && $path === '/api/ramp/checkouts') {
            return [200, pollCheckouts($_GET)];
        }

        return match ($path) {
            '/api/ramp/checkouts' => [201, openCheckout()],
            '/api/ramp/webhook' => [200, receiveWebhook()],
            default => throw new RequestRefused(404, 'ERR_NOT_FOUND', 'Route not found.'),
        };
    } catch (RequestRefused $refused) {
        if ($refused->status === 405) {
            header(str_ends_with($path, '/checkouts') ? 'Allow: GET, POST' : 'Allow: POST');
        }

        return problem($refused->status, $refused->errorCode, $refused->getMessage());
    } catch (PolicyRefused $refused) {
        return problem(403, 'ERR_POLICY_REFUSED', $refused->getMessage());
    } catch (WebhookRefused $refused) {
        error_log('Webhook refused: ' . $refused->getMessage());

        return problem(401, 'ERR_WEBHOOK_VERIFICATION', 'The webhook was not verified.');
    } catch (MissingSetting $missing) {
        error_log($missing->getMessage());

        return problem(500, 'ERR_CONFIG_INVALID', 'The checkout is currently not available.');
    } catch (\Throwable $error) {
        error_log(get_class($error) . ': ' . $error->getMessage());

        return problem(500, 'ERR_INTERNAL', 'The checkout is currently not available.');
    }
}

/** @return array<string, mixed> */
function openCheckout(): array
{
    $proposal = readProposal(
        $_SERVER['REQUEST_METHOD'],
        $_SERVER['HTTP_ORIGIN'] ?? '',
        $_SERVER['CONTENT_TYPE'] ?? '',
        (string) file_get_contents('php://input', false, null, 0, MAX_BODY_BYTES + 1),
        explode(',', setting('SHOP_ORIGIN')),
    );
    $signer = new WidgetSigner(setting('RAMP_PARTNER_ID'), setting('RAMP_SECRET_KEY'));

    return grantCheckout(findUser($_COOKIE), $proposal, $signer, openStore());
}

/**
 * Returns the state of a checkout to its owner. To others, it looks like an unknown one.
 *
 * @return array<string, mixed>
 */
function readCheckout(string $reference): array
{
    $store = openStore();
    $checkout = $store->find($reference);
    if ($checkout === null || $checkout['userId'] !== findUser($_COOKIE)) {
        throw new RequestRefused(404, 'ERR_CHECKOUT_NOT_FOUND', 'Checkout not found.');
    }

    return [
        ...describeCheckout($checkout, $store->ordersOf($reference), time()),
        'pollAfterSeconds' => POLL_AFTER_SECONDS,
    ];
}

/**
 * Returns the states of the checkouts that a page names. A checkout of another user is left out, as an unknown one.
 * This backend has no list of checkouts, so a page cannot show a history.
 *
 * @param array<string, mixed> $query
 *
 * @return array<string, mixed>
 */
function pollCheckouts(array $query): array
{
    $references = $query['references'] ?? null;
    if (!is_string($references) || ($query['limit'] ?? '0') !== '0') {
        throw new RequestRefused(404, 'ERR_NOT_FOUND', 'This backend lists no checkouts.');
    }
    $names = explode(',', $references);
    if (count($names) > MAX_REFERENCES) {
        throw new RequestRefused(400, 'ERR_PARAMS_INVALID', 'references may have at most 50 references.');
    }
    $store = openStore();
    $user = findUser($_COOKIE);
    $named = [];
    foreach ($names as $name) {
        $checkout = $user === null ? null : $store->find($name);
        if ($checkout !== null && $checkout['userId'] === $user) {
            $named[] = describeCheckout($checkout, $store->ordersOf($name), time());
        }
    }

    return ['checkouts' => [], 'named' => $named, 'pollAfterSeconds' => POLL_AFTER_SECONDS];
}

/** Takes a verified webhook as a hint to read the order list. Its body is not signed, so it is not read. */
function receiveWebhook(): object
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        throw new RequestRefused(405, 'ERR_METHOD_NOT_ALLOWED', 'Use POST.');
    }
    // Not from getallheaders(): the development server of PHP 8.2 crashed in it when a request had one header in two
    // spellings.
    $headers = [];
    foreach ($_SERVER as $key => $value) {
        if (str_starts_with($key, 'HTTP_X_FP_')) {
            $headers[str_replace('_', '-', substr($key, 5))] = $value;
        }
    }
    $verifier = new WebhookVerifier(setting('RAMP_WEBHOOK_URL'), setting('RAMP_WEBHOOK_PUBLIC_KEY'));
    $digest = $verifier->verify($headers, $_SERVER['QUERY_STRING'] ?? '');
    $store = openStore();
    if ($store->isNewWebhook($digest, time())) {
        $store->requestSync();
    }

    return new \stdClass();
}

/** @return array{int, array<string, mixed>} */
function problem(int $status, string $code, string $message): array
{
    return [$status, ['error' => ['code' => $code, 'message' => $message]]];
}
