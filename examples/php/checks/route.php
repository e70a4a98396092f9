<?php

declare(strict_types=1);

namespace PartnerRamp;

/** Checks the route without a server. */
function checkRoute(Checks $checks): void
{
    $signer = new WidgetSigner('demo-partner', 'demonstration-key');
    $directory = sys_get_temp_dir() . '/ramp-check-' . bin2hex(random_bytes(6));
    $store = new CheckoutStore($directory);
    $origins = ['https://shop.example'];
    $type = 'application/json; charset=utf-8';
    $read = static fn (string $body): Proposal => readProposal('POST', $origins[0], $type, $body, $origins);

    $body = '{"widget":"nft","params":{"merchantUniqueId":"print-7","amount":"0.01","walletAddress":"0xbad"}}';
    $answer = grantCheckout('ann', $read($body), $signer, $store);
    $signed = $answer['params'];
    $checks->same('route signs the price of the listing', '250', $signed['amount']);
    $checks->same('route sends the reference as ext', $answer['reference'], $signed['ext']);
    $text = widgetText(array_diff_key($signed, ['signature' => '']));
    $checks->same('route signature', widgetSignature($text, 'demonstration-key'), $signed['signature']);
    $checks->same('route stores the terms', '250', $store->find($answer['reference'])['params']['amount'] ?? null);
    $checks->same('unknown reference', null, $store->find('../' . $answer['reference']));
    $checks->refuses(
        'unknown listing',
        PolicyRefused::class,
        static fn () => grantCheckout('ann', $read('{"widget":"nft"}'), $signer, $store),
    );
    $checks->refuses(
        'signed out',
        PolicyRefused::class,
        static fn () => grantCheckout(null, $read('{"widget":"on-ramp"}'), $signer, $store),
    );
    $later = $read('{"widget":"on-ramp","selection":{"defaultCurrency":"ETH"},"subject":"user-1"}');
    $checks->same('route ignores the selection and unknown fields', [], $later->params);
    $state = describeCheckout($store->find($answer['reference']), [], time());
    $checks->same('an unpaid checkout waits', ['waiting', []], [$state['progress'], $state['orders']]);
    array_map(unlink(...), glob("$directory/*/*") ?: []);
    array_map(rmdir(...), glob("$directory/*") ?: []);
    rmdir($directory);

    $refused = [
        405 => ['GET', 'https://shop.example', 'application/json', '{}'],
        403 => ['POST', 'https://other.example', 'application/json', '{}'],
        415 => ['POST', 'https://shop.example', 'text/plain', '{}'],
        413 => ['POST', 'https://shop.example', 'application/json', str_repeat(' ', MAX_BODY_BYTES + 1)],
        400 => ['POST', 'https://shop.example', 'application/json', '{"widget":"nft","params":{"mintQuantity":1}}'],
        '400 for an unsigned name' =>
            ['POST', 'https://shop.example', 'application/json', '{"widget":"on-ramp","params":{"amount":"1"}}'],
        '400 for a reference' =>
            ['POST', 'https://shop.example', 'application/json', '{"widget":"on-ramp","params":{"ext":"1"}}'],
    ];
    foreach ($refused as $name => [$method, $origin, $type, $body]) {
        $status = (int) $name;
        try {
            readProposal($method, $origin, $type, $body, $origins);
            $checks->same("route returns $name", $status, 201);
        } catch (RequestRefused $error) {
            $checks->same("route returns $name", $status, $error->status);
        }
    }
}
