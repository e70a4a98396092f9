<?php

/**
 * Reads the signed order list, which is the only proof that a checkout was paid, and delivers each paid one once.
 *
 *     php orders.php
 */

declare(strict_types=1);

require_once __DIR__ . '/database.php';
require_once __DIR__ . '/signing.php';

// Reads at intervals, because a webhook can be lost, and at once after a webhook.
$newestWebhook = static fn () => query('select max(rowid) from webhooks')->fetchColumn();
while (true) {
    $readAt = microtime(true);
    $webhook = $newestWebhook();
    try {
        sync(time());
    } catch (Throwable $error) { // the next interval tries again
        error_log("The order list could not be read: {$error->getMessage()}");
    }
    do {
        usleep(200_000);
    } while (microtime(true) < $readAt + (getenv('RAMP_POLL_SECONDS') ?: 60) && $newestWebhook() === $webhook);
}

/** Reads all orders since the last complete reading. An order is listed by its finish time, perhaps late. */
function sync(int $now): void
{
    $until = query('select max(until) from readings')->fetchColumn();
    $start = $until === null ? $now - 7 * DAY : $until - 7200;
    $isComplete = true;
    for (; $start < $now; $start = $end) {
        $end = min($start + DAY, $now);
        $isComplete = readOrders($start, $end) && $isComplete;
    }
    if (!$isComplete) {
        throw new RuntimeException('it has fewer orders than its totalCount');
    }
    query('insert or replace into readings values (1, ?)', $now);
}

/**
 * Books the orders of a range. Returns whether there were as many as the service counts. A page may have fewer orders
 * than requested, so the number of pages says nothing.
 */
function readOrders(int $start, int $end): bool
{
    $seen = [];
    for ($page = 1, $count = 1; count($seen) < $count; $page++) {
        $data = requestOrders("startTime=$start&endTime=$end&page=$page&size=20");
        $count = (int) $data['totalCount'];
        $known = count($seen);
        foreach ($data['list'] ?: [] as $order) {
            $seen[$order['orderId']] = true;
            inTransaction(static fn () => book($order));
        }
        if (count($seen) === $known) {
            break;
        }
    }
    return count($seen) >= $count;
}

function requestOrders(string $query): array
{
    $url = rtrim(getenv('RAMP_API_URL'), '/') . "/open/api/onramp/order?$query";
    $headers = [];
    foreach (apiHeaders($url, getenv('RAMP_PARTNER_ID'), getenv('RAMP_API_PRIVATE_KEY')) as $name => $value) {
        $headers[] = "$name: $value";
    }
    $options = ['header' => $headers, 'timeout' => 10, 'ignore_errors' => true, 'follow_location' => 0];
    $body = (string) @file_get_contents($url, false, stream_context_create(['http' => $options]));
    // Numbers become text, so that amounts keep their digits.
    $texts = preg_replace('/"(?:[^"\\\\]++|\\\\.)*+"(*SKIP)(*FAIL)|-?\d[\d.eE+-]*/', '"$0"', $body);
    $envelope = json_decode((string) $texts, true);
    if (($envelope['code'] ?? '') !== '10000') {
        throw new RuntimeException('the service responded with code ' . ($envelope['code'] ?? 'none'));
    }
    return $envelope['data'];
}

/** Delivers a checkout's first order that matches its terms. Every other order is for the staff. */
function book(array $order): void
{
    ['orderId' => $id, 'ext' => $reference] = $order + ['ext' => ''];
    $checkout = query('select * from checkouts where reference = ?', $reference)->fetch() ?: null;
    $delivered = query('select order_id from deliveries where reference = ?', $reference)->fetchColumn();
    $wallet = json_decode($checkout['params'] ?? '{}', true)['walletAddress'] ?? '';
    $reason = match (true) {
        $checkout === null => 'no-checkout', // it was lost, or another system sells under this partner ID
        $order['orderStatus'] !== '3' => 'unknown-status', // perhaps a delivered order was refunded
        $delivered !== false => $delivered === $id ? null : 'second-order',
        !empty($order['nftDetails']) => 'widget',
        // The policy locks the wallet. The case of a hexadecimal address is only a checksum.
        default => strcasecmp($wallet, $order['walletAddress'] ?? '') === 0 ? null : 'wallet',
    };
    if ($reason !== null) {
        // A person must look at it, because it may be paid.
        $review = query('insert or ignore into reviews values (?, ?, ?)', $id, $reason, $reference);
        if ($review->rowCount() === 1) {
            error_log("Review order $id: $reason");
        }
    } elseif ($delivered === false) {
        // Give the user what was paid here, in this transaction. The key of the table lets it happen once.
        query('insert into deliveries values (?, ?, ?)', $reference, $id, json_encode($order));
        error_log("Deliver order $id to {$checkout['user']}");
    }
}
