<?php

declare(strict_types=1);

namespace PartnerRamp;

/** Checks that the first order of each checkout is delivered, and that the staff gets every other outcome. */
function checkOutcomes(Checks $checks): void
{
    $store = new CheckoutStore(sys_get_temp_dir() . '/ramp-check-' . bin2hex(random_bytes(6)));
    $record = static function (string $reference, string $id, array $order = [], ?string $review = null) use ($store) {
        $order = ['orderId' => $id, 'finishTime' => '1767225600', ...$order];

        return $store->record($reference, [
            'order' => $order, 'state' => 'finished', 'review' => $review, 'changedAt' => 1767225600,
        ]);
    };
    $nft = ['nftDetails' => [['tokenId' => '7']]];
    $checks->same('the first order', [true, null], $record('r1', 'o1'));
    $checks->same('the first order, read again', [false, null], $record('r1', 'o1'));
    $checks->same('a second order of crypto', [false, 'paid again'], $record('r1', 'o2'));
    $checks->same('an order that differs', [false, 'walletAddress'], $record('r2', 'o3', [], 'walletAddress'));
    $checks->same('the first order of an NFT', [true, null], $record('r3', 'n1', $nft));
    $checks->same('a second order of an NFT', [false, 'second-order'], $record('r3', 'n2', $nft));
    $shown = array_column($store->ordersOf('r1'), 'review');
    $checks->same('the shopper sees crypto that was paid twice', [null, null], $shown);
    $checks->same('the staff is told once', true, $store->isNewReview('o4', 'unmatched'));
    $checks->same('the staff is not told twice', false, $store->isNewReview('o4', 'unmatched'));
}
