<?php

declare(strict_types=1);

namespace PartnerRamp;

/**
 * Checks webhooks with a valid signature and an ambiguous text. They are signed with the API key, because the test
 * data has no private key of the service.
 *
 * @param array<string, string> $keys
 */
function checkAmbiguousWebhooks(Checks $checks, array $keys): void
{
    $address = 'https://shop.example/hooks/ramp';
    $signer = new ApiSigner('demo-partner', $keys['apiPrivateKey']);
    $verifier = new WebhookVerifier($address, $keys['apiPublicKey']);
    $verify = static function (array $added, string $query) use ($signer, $verifier, $address): string {
        $headers = ['x-fp-timestamp' => '1767225600', 'x-fp-nonce' => '482910', ...$added];
        $text = requestText('POST', $address, $headers, parseQuery($query));

        return $verifier->verify([...$headers, 'x-fp-signature' => $signer->signature($text)], $query, 1767225600);
    };
    $checks->same('webhook with an added header', 64, strlen($verify(['x-fp-extra' => '1'], 'tenant=eu1')));
    $refused = [
        'a space in a header' => [['x-fp-extra' => '1 1'], ''],
        'a comma in a header' => [['x-fp-extra' => '1,1'], ''],
        'a character outside ASCII in a header' => [['x-fp-extra' => 'ä'], ''],
        'a query parameter named like a header' => [[], 'x-fp-extra=1'],
        'the same in upper case' => [[], 'X-FP-NONCE=1'],
    ];
    foreach ($refused as $name => $arguments) {
        $checks->refuses("webhook with $name", WebhookRefused::class, static fn () => $verify(...$arguments));
    }
}
