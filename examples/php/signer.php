<?php

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/items.php';
require_once __DIR__ . '/widget.php';

/**
 * Returns the signed text of a widget URL. Only `ext` is encoded before it is signed.
 *
 * @param array<array-key, string> $params all signed parameters, without `signature`
 */
function widgetText(array $params): string
{
    if (isset($params['ext'])) {
        $params['ext'] = encodeComponent($params['ext']);
    }

    return joinItems($params);
}

/** Returns HMAC-SHA-256 of the text in base64. The 32 raw bytes are encoded, not their hexadecimal form. */
function widgetSignature(string $text, #[\SensitiveParameter] string $secretKey): string
{
    return base64_encode(hash_hmac('sha256', $text, $secretKey, true));
}

/** Signs the parameters of a widget URL with the partner's SecretKey. Keep it on the server. */
final class WidgetSigner
{
    public function __construct(
        private readonly string $partnerId,
        #[\SensitiveParameter] private readonly string $secretKey,
    ) {
        if (preg_match('/^[A-Za-z0-9._-]+$/D', $partnerId) !== 1) {
            throw new SigningError('The partner ID is missing or malformed. Copy it from your onboarding data.');
        }
        if ($secretKey === '' || trim($secretKey) !== $secretKey) {
            throw new SigningError('The SecretKey is empty or has white space around it. Set it exactly as issued.');
        }
    }

    /**
     * Signs one opening of a checkout at the current time.
     *
     * @param array<string, string> $params signed parameters of the widget, from your own data
     * @param array<string, string> $extraSigned parameters that your service signs although they are not in
     * docs/parameters.md
     * @return array<string, string> every signed parameter and `signature`, before encoding: the page encodes each
     * value once
     */
    public function sign(Widget $widget, array $params, array $extraSigned = []): array
    {
        $widget->check($params);
        $params = dropEmpty($params);
        $extraSigned = dropEmpty($extraSigned);
        foreach ($extraSigned as $name => $value) {
            if ($widget->signs((string) $name)) {
                throw new SigningError("\"$name\" is a documented parameter. Pass it in \$params.");
            }
            checkValue((string) $name, $value);
        }
        // Merge with +, because spreading would renumber names that consist of digits.
        $signed = $params + $extraSigned + [
            'partnerId' => $this->partnerId,
            'timestamp' => (string) time(),
            'nonce' => (string) random_int(100_000, 999_999),
        ];

        return $signed + ['signature' => widgetSignature(widgetText($signed), $this->secretKey)];
    }

    /** Keeps the SecretKey out of var_dump() and print_r(). */
    public function __debugInfo(): array
    {
        return ['partnerId' => $this->partnerId];
    }
}

/**
 * Returns the complete URL, for links and redirects of the server. The components do not need it: they build the URL
 * from the response of the backend.
 *
 * @param array<string, string> $signed the result of WidgetSigner::sign()
 * @param array<string, string> $unsigned for example `amount` of the on-ramp widget; `windowOpen` in a frame
 */
function widgetUrl(string $widgetUrl, Widget $widget, array $signed, array $unsigned = []): string
{
    foreach (array_keys($unsigned) as $name) {
        // A signed parameter must not be sent unsigned: the service would include it in the text that it signs, so the
        // signature would not match.
        if ($widget->signs((string) $name) || isset($signed[$name])) {
            throw new SigningError("\"$name\" is a signed parameter of {$widget->value}. Sign it, or omit it.");
        }
    }
    $pairs = [];
    foreach (dropEmpty($unsigned + $signed) as $name => $value) {
        // http_build_query would encode `ext` differently from the signed text.
        $pairs[] = encodeComponent((string) $name) . '=' . encodeComponent($value);
    }

    return rtrim($widgetUrl, '/') . '/home?' . implode('&', $pairs);
}
