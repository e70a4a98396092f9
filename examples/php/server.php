<?php

/**
 * A shop's backend: signs checkouts, receives webhooks, and shows shoppers their checkouts. orders.php delivers.
 *
 *     php -S 127.0.0.1:8080 server.php
 */

declare(strict_types=1);

require_once __DIR__ . '/database.php';
require_once __DIR__ . '/policy.php';
require_once __DIR__ . '/signing.php';

// The parameters that a page may propose. They are checked but not used.
const PROPOSABLE = ['walletAddress', 'walletAddressLocked', 'walletAddressHidden'];

/** A refused request: the status and the error that the page gets. */
final class Refused extends Exception
{
    public function __construct(public readonly int $status, public readonly string $error, string $message)
    {
        parent::__construct($message);
    }
}

try {
    [$status, $body] = route($_SERVER['REQUEST_METHOD'], (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
} catch (Refused $refused) {
    [$status, $body] = [$refused->status, problem($refused->error, $refused->getMessage())];
} catch (Throwable $error) { // the page must not see the message of an unexpected error
    error_log((string) $error);
    [$status, $body] = [500, problem('ERR_INTERNAL', 'The checkout is currently not available.')];
}
http_response_code($status);
header('Content-Type: application/json');
header('Cache-Control: no-store');
header('X-Content-Type-Options: nosniff');
echo json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);

function problem(string $code, string $message): array
{
    return ['error' => ['code' => $code, 'message' => $message]];
}

function route(string $method, string $path): array
{
    $user = findUser();
    $reference = basename($path);
    switch ("$method $path") {
        case 'POST /api/ramp/checkouts':
            return [201, openCheckout($user)];
        case 'POST /api/ramp/webhook':
            return [200, receiveWebhook()];
        case 'GET /api/ramp/checkouts':
            $references = $_GET['references'] ?? null;
            if (!is_string($references) || ($_GET['limit'] ?? '0') !== '0') {
                throw new Refused(404, 'ERR_NOT_FOUND', 'This backend has no list of checkouts.');
            }
            $names = array_slice(explode(',', $references), 0, 50);
            $found = array_filter(array_map(static fn (string $name) => findCheckout($user, $name), $names));
            return [200, ['checkouts' => [], 'named' => array_values($found), 'pollAfterSeconds' => 3]];
        case "GET /api/ramp/checkouts/$reference":
            $found = findCheckout($user, $reference);
            if ($found === null) {
                throw new Refused(404, 'ERR_CHECKOUT_NOT_FOUND', 'Checkout not found.');
            }
            return [200, [...$found, 'pollAfterSeconds' => 3]];
        default:
            throw new Refused(404, 'ERR_NOT_FOUND', 'Route not found.');
    }
}

/** Decides, stores the terms under a new reference, and signs them with the reference as `ext`. */
function openCheckout(?string $user): array
{
    checkRequest();
    if ($user === null) {
        throw new Refused(401, 'ERR_SIGNED_OUT', 'Sign in to buy.');
    }
    $params = decide($user);
    // 22 random characters that need no encoding.
    $reference = rtrim(strtr(base64_encode(random_bytes(16)), '+/', '-_'), '=');
    // Store the terms before the page gets the signature, so that every order finds its terms.
    query('insert into checkouts values (?, ?, ?, ?)', $reference, $user, json_encode($params), time());
    $signed = signWidget([...$params, 'ext' => $reference], getenv('RAMP_PARTNER_ID'), getenv('RAMP_SECRET_KEY'));
    // A signature is valid for 300 seconds. With less, the page never opens an expired URL.
    return ['reference' => $reference, 'params' => $signed, 'expiresInSeconds' => 240];
}

/** Refuses malformed requests. Unknown fields are ignored: a later page may send more. */
function checkRequest(): void
{
    // Accept JSON from your own pages only, so that another site cannot sign with the shopper's cookies.
    if (!in_array($_SERVER['HTTP_ORIGIN'] ?? '', explode(',', getenv('SHOP_ORIGIN')), true)) {
        throw new Refused(403, 'ERR_ORIGIN_REFUSED', 'This origin is not in SHOP_ORIGIN.');
    }
    if (trim(explode(';', $_SERVER['CONTENT_TYPE'] ?? '')[0]) !== 'application/json') {
        throw new Refused(415, 'ERR_CONTENT_TYPE', 'Send Content-Type: application/json.');
    }
    $body = (string) file_get_contents('php://input', false, null, 0, 16 * 1024 + 1);
    if (strlen($body) > 16 * 1024) {
        throw new Refused(413, 'ERR_BODY_TOO_LARGE', 'The body is larger than 16 KB.');
    }
    $data = json_decode($body, true);
    if (!is_array($data)) {
        throw new Refused(400, 'ERR_REQUEST', 'The body is not a JSON object.');
    }
    ['widget' => $widget, 'params' => $params] = $data + ['widget' => null, 'params' => []];
    if ($widget === 'nft') {
        throw new Refused(403, 'ERR_POLICY_REFUSED', 'This shop sells no NFTs.');
    }
    if ($widget !== 'on-ramp' || !is_array($params)) {
        throw new Refused(400, 'ERR_PARAMS_INVALID', '"widget" must be "on-ramp", and "params" an object.');
    }
    foreach ($params as $name => $value) {
        if (!in_array($name, PROPOSABLE, true) || !is_string($value) || strlen($value) > 512) {
            $message = '"params" has an unknown name, or a value that is not a text of at most 512 characters.';
            throw new Refused(400, 'ERR_PARAMS_INVALID', $message);
        }
    }
}

/** Returns what the shopper may see, as docs/http.md defines it, or null. Checkouts of others look unknown. */
function findCheckout(?string $user, string $reference): ?array
{
    $owned = 'select at from checkouts where reference = ? and user = ?';
    $at = query($owned, $reference, $user)->fetchColumn();
    if ($at === false) {
        return null;
    }
    $delivered = query('select body from deliveries where reference = ?', $reference)->fetchColumn();
    $reasons = query('select reason from reviews where reference = ?', $reference)->fetchAll(PDO::FETCH_COLUMN);
    $reviewed = count(array_diff($reasons, ['unknown-status']));
    $shown = ['reference' => $reference, 'widget' => 'on-ramp', 'orders' => []];
    if ($delivered !== false) {
        $review = $reviewed > 0 ? ['underReview' => $reviewed] : [];
        return [...$shown, 'progress' => 'finished', 'orders' => [describeOrder($delivered)], ...$review];
    }
    if ($reasons !== []) {
        return [...$shown, 'progress' => $reviewed > 0 ? 'review' : 'unconfirmed'];
    }
    return [...$shown, 'progress' => time() - $at > DAY ? 'expired' : 'waiting'];
}

/** Returns no wallet and no user. docs/http.md lists more fields, all of them optional. */
function describeOrder(string $body): array
{
    $names = ['orderId', 'fiatCurrency', 'currencyAmount', 'cryptoCurrency', 'cryptoCurrencyAmount', 'network'];
    return ['state' => 'finished', ...array_intersect_key(json_decode($body, true), array_flip($names))];
}

/** Takes a genuine webhook as a hint to read the order list. Its body is not signed, so it is not read. */
function receiveWebhook(): object
{
    $headers = [];
    foreach ($_SERVER as $key => $value) {
        if (str_starts_with($key, 'HTTP_X_FP_')) {
            $headers[] = [str_replace('_', '-', substr($key, 5)), $value];
        }
    }
    [$address, $key] = [getenv('RAMP_WEBHOOK_URL'), getenv('RAMP_WEBHOOK_PUBLIC_KEY')];
    try {
        $digest = verifyWebhook($address, $key, $headers, $_SERVER['QUERY_STRING'] ?? '', time());
    } catch (InvalidArgumentException $error) {
        error_log("Webhook refused: {$error->getMessage()}");
        throw new Refused(401, 'ERR_WEBHOOK_VERIFICATION', 'The webhook was not verified.');
    }
    query('delete from webhooks where at < ?', time() - 3600);
    // A new one wakes orders.php. A replay changes nothing.
    query('insert or ignore into webhooks values (?, ?)', $digest, time());
    return new stdClass();
}
