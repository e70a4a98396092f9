<?php

declare(strict_types=1);

namespace PartnerRamp;

/**
 * Checks that webhooks with a valid signature but an ambiguous text are refused. They are signed with the API key,
 * because the test data does not contain the private key of the service.
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
        'a tab in a header' => [['x-fp-extra' => "1\t1"], ''],
        'an underscore in the name of a header' => [['x-fp-ex_tra' => '1'], ''],
        'a query parameter named like a header' => [[], 'x-fp-extra=1'],
        'the same in upper case' => [[], 'X-FP-NONCE=1'],
    ];
    foreach ($refused as $name => $arguments) {
        $checks->refuses("webhook with $name", WebhookRefused::class, static fn () => $verify(...$arguments));
    }
    // These texts cannot be signed with this code, so their signatures are wrong too. Only the message shows that the
    // webhook was refused because of its text.
    $unsigned = [
        'a name outside ASCII' => ['%C3%A9=1', 'outside ASCII'],
        'malformed percent-encoding' => ['a=%zz', 'percent-encoding'],
        'percent-encoding that is not UTF-8' => ['a=%ED%A0%80', 'percent-encoding'],
        'two parameters without a name' => ['=1&=2', 'occurs twice'],
    ];
    foreach ($unsigned as $name => [$query, $words]) {
        $headers = ['x-fp-timestamp' => '1767225600', 'x-fp-nonce' => '482910', 'x-fp-signature' => 'AAAA'];
        try {
            $verifier->verify($headers, $query, 1767225600);
            $message = 'accepted';
        } catch (WebhookRefused $refusal) {
            $message = $refusal->getMessage();
        }
        $checks->same("webhook with $name is refused for it: $message", true, str_contains($message, $words));
    }
}
