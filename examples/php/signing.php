<?php

/**
 * The three signatures of docs/signing.md: the widget URL, requests to the partner API, and webhooks.
 *
 * Throws an InvalidArgumentException for what cannot be signed or trusted.
 */

declare(strict_types=1);

/**
 * Joins items as `name=value`, sorted by name, without empty ones.
 *
 * Values are joined unescaped, so one with `&` or `=` could be read as further items. It is refused, not changed.
 */
function joinItems(array $items): string
{
    ksort($items, SORT_STRING);
    $pairs = [];
    foreach ($items as $name => $value) {
        if ((string) $name === '' || $value === '') {
            continue;
        }
        if (preg_match('/[^\x00-\x7F]/', (string) $name) === 1 || strpbrk($name . $value, '&=') !== false) {
            throw new InvalidArgumentException("The item \"$name\" has &, = or a name outside ASCII.");
        }
        $pairs[] = "$name=$value";
    }
    return implode('&', $pairs);
}

function widgetText(array $params): string
{
    // Encodes like JavaScript's encodeURIComponent, as the service does with `ext` before it signs.
    $kept = ['%21' => '!', '%27' => "'", '%28' => '(', '%29' => ')', '%2A' => '*'];
    return joinItems(['ext' => strtr(rawurlencode($params['ext'] ?? ''), $kept)] + $params);
}

/** Returns HMAC-SHA-256 in base64. The 32 raw bytes are encoded, not their hexadecimal form. */
function widgetSignature(string $text, string $secretKey): string
{
    return base64_encode(hash_hmac('sha256', $text, $secretKey, true));
}

/** Signs one opening of a checkout now. The values stay plain: the page encodes each of them once. */
function signWidget(array $params, string $partnerId, string $secretKey): array
{
    $nonce = (string) random_int(100_000, 999_999);
    $signed = array_filter($params, static fn (string $value): bool => $value !== '')
        + ['partnerId' => $partnerId, 'timestamp' => (string) time(), 'nonce' => $nonce];
    return $signed + ['signature' => widgetSignature(widgetText($signed), $secretKey)];
}

/** Returns the signed text of a request or a webhook: method, host, path, `?` and the joined items. */
function requestText(string $method, string $address, array $headers, string $query): string
{
    ['scheme' => $scheme, 'host' => $host] = $url = parse_url($address);
    $port = $url['port'] ?? null;
    $shownPort = $port === null || $port === ['http' => 80, 'https' => 443][$scheme] ? '' : ":$port";
    $items = joinItems($headers + parseQuery($query));
    return $method . strtolower($host) . $shownPort . ($url['path'] ?? '/') . "?$items";
}

/**
 * Refuses what two parsers could read differently, or could take for a header. PHP's parse_str() renames parameters,
 * and keeps only the last of two with the same name.
 */
function parseQuery(string $query): array
{
    $items = [];
    foreach (array_filter(explode('&', $query), strlen(...)) as $pair) {
        [$name, $value] = array_map(urldecode(...), explode('=', $pair, 2) + [1 => '']);
        $isText = preg_match('/%(?![0-9A-Fa-f]{2})/', $pair) === 0 && preg_match('//u', $name . $value) === 1;
        if (!$isText || isset($items[$name]) || stripos($name, 'x-fp-') === 0) {
            throw new InvalidArgumentException('The query is malformed, has a name twice, or the name of a header.');
        }
        $items[$name] = $value;
    }
    return $items;
}

/** Returns the headers of one GET request to exactly this URL. A retry needs new ones. */
function apiHeaders(string $url, string $partnerId, string $privateKey): array
{
    $signed = [
        'x-fp-version' => 'v1.0',
        'x-fp-timestamp' => (string) time(),
        'x-fp-nonce' => (string) random_int(100_000, 999_999),
        'x-fp-partner-id' => $partnerId,
    ];
    $text = requestText('GET', $url, $signed, (string) parse_url($url, PHP_URL_QUERY));
    return $signed + ['x-fp-signature' => rsaSignature($text, $privateKey), 'Content-Type' => 'application/json'];
}

/** Returns RSASSA-PKCS1-v1_5 with SHA-256, in base64. */
function rsaSignature(string $text, string $privateKey): string
{
    if (!openssl_sign($text, $raw, $privateKey, OPENSSL_ALGO_SHA256)) {
        throw new InvalidArgumentException('OpenSSL could not sign. APIPrivateKey must be an RSA key in PEM.');
    }
    return base64_encode($raw);
}

/**
 * Returns the SHA-256 of the accepted text. Store it for more than 600 seconds, to recognize a replay. The signature
 * does not cover the body.
 *
 * @param string $address the URL that is registered with the service. The sender chooses the host of the request
 * @param array $headers pairs of a name and a value, so that one that occurs twice is noticed
 */
function verifyWebhook(string $address, string $publicKey, array $headers, string $query, int $now): string
{
    $signed = [];
    foreach ($headers as [$name, $value]) {
        $name = strtolower($name);
        if (!str_starts_with($name, 'x-fp-')) {
            continue;
        }
        // The service signs all of them, even one that it adds in the future. A comma joins a repeated header.
        $isPlain = $name === 'x-fp-signature' || preg_match('/^[!-%\'-+\--<>-~]*$/D', $value) === 1;
        if (isset($signed[$name]) || preg_match('/^[a-z0-9-]+$/D', $name) !== 1 || !$isPlain) {
            throw new InvalidArgumentException("The header $name occurs twice, or has a character that is not signed.");
        }
        $signed[$name] = $value;
    }
    $signature = $signed['x-fp-signature'] ?? '';
    unset($signed['x-fp-signature']);
    $text = requestText('POST', $address, $signed, $query);
    $raw = (string) base64_decode($signature, true);
    // Only the standard text is accepted, so that a replay cannot look like a new webhook.
    $isStandard = $raw !== '' && base64_encode($raw) === $signature;
    if (!$isStandard || openssl_verify($text, $raw, $publicKey, OPENSSL_ALGO_SHA256) !== 1) {
        throw new InvalidArgumentException('X-Fp-Signature is wrong. Check WebhookPublicKey and RAMP_WEBHOOK_URL.');
    }
    $timestamp = $signed['x-fp-timestamp'] ?? '';
    if (preg_match('/^[0-9]{10}$/D', $timestamp) !== 1 || abs($now - (int) $timestamp) > 300) {
        throw new InvalidArgumentException('X-Fp-Timestamp is not within 300 seconds of this clock. Is it set by NTP?');
    }
    if (preg_match('/^[0-9]{1,10}$/D', $signed['x-fp-nonce'] ?? '') !== 1) {
        throw new InvalidArgumentException('X-Fp-Nonce is missing or not a number of one to ten digits.');
    }
    return hash('sha256', $text);
}
