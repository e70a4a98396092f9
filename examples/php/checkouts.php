<?php

declare(strict_types=1);

namespace PartnerRamp;

const MAX_BODY_BYTES = 16 * 1024;

/** A signature is valid for 300 seconds. The page gets a shorter time, so that it never opens an expired URL. */
const EXPIRES_IN_SECONDS = 240;

/** How many references a page may name in one poll. */
const MAX_REFERENCES = 50;

/** When the page may poll again. A busy backend sends a higher number. */
const POLL_AFTER_SECONDS = 3;

/** A refused request. The message is returned to the page. */
final class RequestRefused extends \RuntimeException
{
    public function __construct(public readonly int $status, public readonly string $errorCode, string $message)
    {
        parent::__construct($message);
    }
}

/** The body of a page's request. It is untrusted. */
final class Proposal
{
    /** @param array<string, string> $params */
    public function __construct(public readonly Widget $widget, public readonly array $params)
    {
    }
}

/**
 * Checks the request and reads its body. JSON and a known origin are required, so that another site cannot get a
 * signature with the shopper's cookies.
 *
 * @param list<string> $allowedOrigins
 */
function readProposal(
    string $method,
    string $origin,
    string $contentType,
    string $body,
    array $allowedOrigins,
): Proposal {
    if ($method !== 'POST') {
        throw new RequestRefused(405, 'ERR_METHOD_NOT_ALLOWED', 'Use POST.');
    }
    if (!in_array($origin, array_map('trim', $allowedOrigins), true)) {
        throw new RequestRefused(403, 'ERR_ORIGIN_REFUSED', 'This origin is not allowed. Add it to SHOP_ORIGIN.');
    }
    if (strtolower(trim(explode(';', $contentType)[0])) !== 'application/json') {
        throw new RequestRefused(415, 'ERR_CONTENT_TYPE', 'Send Content-Type: application/json.');
    }
    if (strlen($body) > MAX_BODY_BYTES) {
        throw new RequestRefused(413, 'ERR_BODY_TOO_LARGE', 'The body is larger than 16 KB.');
    }
    $data = json_decode($body, true, 8);
    if (!is_array($data)) {
        throw new RequestRefused(400, 'ERR_REQUEST', 'The body is not a JSON object.');
    }
    // Other fields are ignored, because a page of a later release may send some. This example has one wallet for every
    // coin, so it does not read "selection" either.
    $widget = is_string($data['widget'] ?? null) ? Widget::tryFrom($data['widget']) : null;
    if ($widget === null) {
        throw new RequestRefused(400, 'ERR_PARAMS_INVALID', '"widget" must be "on-ramp" or "nft".');
    }
    $params = $data['params'] ?? [];
    if (!is_array($params) || array_filter($params, is_string(...)) !== $params) {
        throw new RequestRefused(400, 'ERR_PARAMS_INVALID', '"params" must be an object of strings.');
    }
    foreach ($params as $name => $value) {
        if (!$widget->allowsProposal((string) $name) || strlen($value) > 512) {
            throw new RequestRefused(
                400,
                'ERR_PARAMS_INVALID',
                '"params" has a name that the widget does not sign, or a value of more than 512 characters.',
            );
        }
    }

    return new Proposal($widget, $params);
}

/**
 * Calls the policy, stores the terms under a new reference, and signs them with the reference as `ext`.
 *
 * @return array{reference: string, params: array<string, string>, expiresInSeconds: int}
 */
function grantCheckout(?string $userId, Proposal $proposal, WidgetSigner $signer, CheckoutStore $store): array
{
    $grant = decide($userId, $proposal->widget, $proposal->params);
    // 22 random characters that need no encoding.
    $reference = rtrim(strtr(base64_encode(random_bytes(16)), '+/', '-_'), '=');
    $store->keep($reference, [
        'reference' => $reference,
        'userId' => $grant->userId,
        'widget' => $proposal->widget->value,
        'params' => $grant->params,
        'agreedAt' => time(),
    ]);

    return [
        'reference' => $reference,
        'params' => $signer->sign($proposal->widget, [...$grant->params, 'ext' => $reference]),
        'expiresInSeconds' => EXPIRES_IN_SECONDS,
    ];
}
