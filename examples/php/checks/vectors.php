<?php

declare(strict_types=1);

namespace PartnerRamp;

/** @param list<array<string, string>> $entries */
function checkExt(Checks $checks, array $entries): void
{
    foreach ($entries as $i => $entry) {
        $checks->same("ext $i", $entry['encoded'], encodeComponent($entry['value']));
    }
}

/** @param list<array<string, mixed>> $entries */
function checkWidgets(Checks $checks, array $entries): void
{
    foreach ($entries as $i => $entry) {
        $text = widgetText($entry['params']);
        $signature = widgetSignature($text, $entry['secretKey']);
        $checks->same("widget $i text", $entry['text'], $text);
        $checks->same("widget $i signature", $entry['signature'], $signature);
        $signed = [...$entry['params'], 'signature' => $signature];
        $url = widgetUrl('https://pay.example', Widget::from($entry['widget']), $signed, $entry['unsignedParams']);
        $checks->same("widget $i query", pairs($entry['query']), pairs(explode('?', $url, 2)[1]));
    }
}

/**
 * Returns the sorted items of a query, because their order in a URL does not matter.
 *
 * @return list<string>
 */
function pairs(string $query): array
{
    $pairs = explode('&', $query);
    sort($pairs, SORT_STRING);

    return $pairs;
}

/**
 * @param list<array<string, mixed>> $entries
 * @param array<string, string> $keys
 */
function checkApi(Checks $checks, array $entries, array $keys): void
{
    $signer = new ApiSigner('demo-partner', $keys['apiPrivateKey']);
    foreach ($entries as $i => $entry) {
        $text = apiText($entry['method'], $entry['url'], $entry['headers']);
        $checks->same("api $i text", $entry['text'], $text);
        $checks->same("api $i signature", $entry['signature'], $signer->signature($text));
    }
    $url = 'http://127.0.0.1:4010/open/api/onramp/currency';
    $headers = $signer->headers($url);
    $checks->same('api headers verify', 1, openssl_verify(
        apiText('GET', $url, $headers),
        base64_decode($headers['X-Fp-Signature']),
        $keys['apiPublicKey'],
        OPENSSL_ALGO_SHA256,
    ));
    foreach (['value with an encoded &' => 'b=c%26d', 'parameter twice' => 'b=1&b=2'] as $name => $query) {
        $url = "https://api.example/a?$query";
        $checks->refuses("api $name", SigningError::class, static fn () => $signer->headers($url));
    }
    $checks->refuses('api key malformed', SigningError::class, static fn () => new ApiSigner('demo-partner', 'no key'));
}

/**
 * @param list<array<string, mixed>> $entries
 * @param array<string, string> $keys
 */
function checkWebhooks(Checks $checks, array $entries, array $keys): void
{
    foreach ($entries as $i => $entry) {
        [$address, $query] = explode('?', $entry['url'], 2) + [1 => ''];
        $headers = $entry['headers'];
        $time = (int) $headers['X-Fp-Timestamp'];
        $verifier = new WebhookVerifier($address, $keys['webhookPublicKey']);
        $signed = array_diff_key(array_change_key_case($headers), ['x-fp-signature' => '']);
        $text = requestText($entry['method'], $address, $signed, parseQuery($query));
        $checks->same("webhook $i text", $entry['text'], $text);
        if (!$entry['valid']) {
            $verify = static fn () => $verifier->verify($headers, $query, $time);
            $checks->refuses("webhook $i forged", WebhookRefused::class, $verify);
            continue;
        }
        $digest = hash('sha256', $entry['text']);
        $checks->same("webhook $i accepted", $digest, $verifier->verify($headers, $query, $time));
        $checks->same("webhook $i 300 s late", $digest, $verifier->verify($headers, $query, $time + 300));
        $unpadded = rtrim($headers['X-Fp-Signature'], '=');
        $refused = [
            '301 s late' => [$headers, $query, $time + 301],
            '301 s early' => [$headers, $query, $time - 301],
            'with another nonce' => [[...$headers, 'X-Fp-Nonce' => '1'], $query, $time],
            'with an added header' => [[...$headers, 'X-Fp-Extra' => '1'], $query, $time],
            'with a header twice' => [[...$headers, 'x-fp-nonce' => $headers['X-Fp-Nonce']], $query, $time],
            'with two values' => [[...$headers, 'X-Fp-Nonce' => ['1', '2']], $query, $time],
            'with a comma' => [[...$headers, 'X-Fp-Nonce' => '1, 1'], $query, $time],
            'without a signature' => [array_diff_key($headers, ['X-Fp-Signature' => '']), $query, $time],
            'in another spelling' => [[...$headers, 'X-Fp-Signature' => $unpadded], $query, $time],
            'with another query' => [$headers, 'tenant=other', $time],
        ];
        foreach ($refused as $name => $arguments) {
            $verify = static fn () => $verifier->verify(...$arguments);
            $checks->refuses("webhook $i $name", WebhookRefused::class, $verify);
        }
    }
}
