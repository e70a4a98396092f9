<?php

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/request.php';

/** A webhook that cannot be trusted, or a wrong clock or configuration. Respond with 401, and log the message. */
final class WebhookRefused extends \RuntimeException
{
}

/**
 * Verifies webhooks with WebhookPublicKey. The signature does not cover the body. Use a verified webhook only as a
 * signal to read the order list, and never deliver on the basis of the body.
 */
final class WebhookVerifier
{
    private const TOLERANCE_SECONDS = 300;

    private readonly \OpenSSLAsymmetricKey $publicKey;

    /**
     * @param string $address the URL that is registered with the service. The host of a request is not used, because
     * a proxy may change it, and any caller can choose it.
     */
    public function __construct(private readonly string $address, string $publicKey)
    {
        $key = openssl_pkey_get_public($publicKey);
        if ($key === false || openssl_pkey_get_details($key)['type'] !== OPENSSL_KEYTYPE_RSA) {
            throw new SigningError('WebhookPublicKey is not an RSA key in PEM. Set it with its BEGIN and END lines.');
        }
        $this->publicKey = $key;
    }

    /**
     * Returns the SHA-256 of the accepted text. Store this digest for more than 600 seconds. If it is already stored,
     * the webhook is a replay: respond with 200 and do nothing else.
     *
     * @param array<string, string|list<string>> $headers of the request by name
     * @param string $query of the request, without `?`
     * @param int|null $now Unix seconds; the clock by default
     * @throws WebhookRefused
     */
    public function verify(array $headers, string $query = '', ?int $now = null): string
    {
        try {
            $signed = $this->signedHeaders($headers);
            $signature = $signed['x-fp-signature'] ?? '';
            unset($signed['x-fp-signature']);
            $text = requestText('POST', $this->address, $signed, $this->signedQuery($query));
        } catch (SigningError $error) {
            throw new WebhookRefused($error->getMessage(), 0, $error);
        }
        $this->checkSignature($text, $signature);
        $this->checkFreshness($signed, $now ?? time());

        return hash('sha256', $text);
    }

    /**
     * Returns all X-Fp headers, because the service would also sign headers that it adds in the future.
     *
     * @param array<string, string|list<string>> $headers
     * @return array<string, string> names in lower case
     */
    private function signedHeaders(array $headers): array
    {
        $signed = [];
        foreach ($headers as $name => $values) {
            $name = strtolower((string) $name);
            if (!str_starts_with($name, 'x-fp-')) {
                continue;
            }
            $values = (array) $values;
            if (count($values) !== 1 || isset($signed[$name])) {
                throw new WebhookRefused("The header $name occurs twice.");
            }
            if (preg_match('/^[a-z0-9-]+$/D', $name) !== 1) {
                throw new WebhookRefused('An X-Fp header has a name with other characters than letters, digits and -.');
            }
            // Servers join a repeated header with a comma, which is refused. The signature is base64 and is checked
            // elsewhere.
            if ($name !== 'x-fp-signature' && preg_match('/^[!-%\'-+\--<>-~]*$/D', $values[0]) !== 1) {
                throw new WebhookRefused("The header $name contains a character that cannot be signed.");
            }
            $signed[$name] = $values[0];
        }

        return $signed;
    }

    /**
     * Parses the query. Refuses a parameter whose name begins with `x-fp-`, in upper or lower case, because it could
     * be read as a header.
     *
     * @return array<array-key, string> decoded values by name
     */
    private function signedQuery(string $query): array
    {
        $items = parseQuery($query);
        foreach (array_keys($items) as $name) {
            if (stripos((string) $name, 'x-fp-') === 0) {
                throw new WebhookRefused("The query parameter \"$name\" has the name of a header.");
            }
        }

        return $items;
    }

    /**
     * Verifies the signature. Accepts only its standard base64 text, so that a replay cannot look like a new webhook.
     */
    private function checkSignature(string $text, string $signature): void
    {
        $raw = base64_decode($signature, true);
        if ($raw === false || $raw === '' || base64_encode($raw) !== $signature) {
            throw new WebhookRefused('X-Fp-Signature is missing or not standard base64.');
        }
        if (openssl_verify($text, $raw, $this->publicKey, OPENSSL_ALGO_SHA256) !== 1) {
            throw new WebhookRefused(
                'X-Fp-Signature does not match. Check WebhookPublicKey, and that the configured address is the one '
                . 'that the service calls.',
            );
        }
    }

    /** @param array<string, string> $signed */
    private function checkFreshness(array $signed, int $now): void
    {
        $timestamp = $signed['x-fp-timestamp'] ?? '';
        if (preg_match('/^[0-9]{10}$/D', $timestamp) !== 1) {
            throw new WebhookRefused('X-Fp-Timestamp is missing or not a Unix time in seconds.');
        }
        if (abs($now - (int) $timestamp) > self::TOLERANCE_SECONDS) {
            throw new WebhookRefused(
                'X-Fp-Timestamp is more than 300 seconds from this clock. Check that the clock is set by NTP.',
            );
        }
        if (preg_match('/^[0-9]{1,10}$/D', $signed['x-fp-nonce'] ?? '') !== 1) {
            throw new WebhookRefused('X-Fp-Nonce is missing or not a number of one to ten digits.');
        }
    }
}
