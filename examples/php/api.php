<?php

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/request.php';

/** Creates the headers of requests to the partner API, signed with APIPrivateKey. Keep it on the server. */
final class ApiSigner
{
    private readonly \OpenSSLAsymmetricKey $privateKey;

    /** @param string $privateKey PEM, PKCS#8 or PKCS#1 */
    public function __construct(private readonly string $partnerId, #[\SensitiveParameter] string $privateKey)
    {
        $key = openssl_pkey_get_private($privateKey);
        if ($key === false || openssl_pkey_get_details($key)['type'] !== OPENSSL_KEYTYPE_RSA) {
            throw new SigningError('APIPrivateKey is not an RSA key in PEM. Set it with its BEGIN and END lines.');
        }
        $this->privateKey = $key;
    }

    /**
     * Returns the headers for one GET request. A retry needs new headers.
     *
     * @param string $url complete URL with its query
     * @return array<string, string>
     */
    public function headers(string $url): array
    {
        $headers = [
            'X-Fp-Version' => 'v1.0',
            'X-Fp-Timestamp' => (string) time(),
            'X-Fp-Nonce' => (string) random_int(100_000, 999_999),
            'X-Fp-Partner-Id' => $this->partnerId,
        ];
        $signature = $this->signature(apiText('GET', $url, $headers));

        return ['Content-Type' => 'application/json', ...$headers, 'X-Fp-Signature' => $signature];
    }

    /** Returns RSASSA-PKCS1-v1_5 with SHA-256, in base64. */
    public function signature(string $text): string
    {
        if (!openssl_sign($text, $raw, $this->privateKey, OPENSSL_ALGO_SHA256)) {
            throw new SigningError('OpenSSL could not sign with APIPrivateKey. Check that the key is complete.');
        }

        return base64_encode($raw);
    }
}

/**
 * Returns the signed text of a request to the partner API. It contains only the four X-Fp headers, not
 * `Content-Type`.
 *
 * @param array<string, string> $headers
 */
function apiText(string $method, string $url, array $headers): string
{
    $signed = array_intersect_key(
        array_change_key_case($headers),
        array_flip(['x-fp-version', 'x-fp-timestamp', 'x-fp-nonce', 'x-fp-partner-id']),
    );

    return requestText($method, $url, $signed, parseQuery((string) parse_url($url, PHP_URL_QUERY)));
}
