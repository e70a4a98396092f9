<?php

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/api.php';
require_once __DIR__ . '/store.php';
require_once __DIR__ . '/widget.php';

const DAY = 86_400;
const LOOKBACK_SECONDS = 7200; // an order may be listed late
const FIRST_LOOKBACK_SECONDS = 7 * DAY;
const SETTLEMENT_SECONDS = 30 * DAY;
const PAGE_SIZE = 20;

/** The signed fields of an NFT that its order returns. */
const NFT_FIELDS = [
    'contractAddress', 'nftNetwork', 'type', 'tokenId', 'ownerWalletAddress', 'mintQuantity', 'transferWalletAddress',
    'merchantUniqueId', 'merchantOrderNo', 'externalCustomerId',
];

/** Reads the signed order list, which is the only proof that a checkout was paid. */
final class OrderSync
{
    private readonly string $url;

    public function __construct(
        string $apiUrl,
        private readonly ApiSigner $signer,
        private readonly CheckoutStore $store,
    ) {
        $this->url = rtrim($apiUrl, '/') . '/open/api/onramp/order';
    }

    /** Reads all orders since the last complete reading. An order is listed by its finish time. */
    public function sync(int $now): void
    {
        $progress = $this->store->progress() ?? [];
        $readUntil = $progress['readUntil'] ?? null;
        $start = $readUntil === null ? $now - FIRST_LOOKBACK_SECONDS : $readUntil - LOOKBACK_SECONDS;
        // NFT orders that are not settled: their finish times by order ID.
        $unsettled = array_filter(
            $progress['unsettled'] ?? [],
            static fn (int $finishTime): bool => $finishTime > $now - SETTLEMENT_SECONDS,
        );
        $start = min([$start, ...array_values($unsettled)]);
        $isComplete = true;
        for (; $start < $now; $start = $end) {
            $end = min($start + DAY, $now);
            $orders = $this->read($start, $end);
            foreach ($orders as $order) {
                $state = $this->record($order, $now);
                if ($state === 'finished' && isset($order['nftDetails'][0]) || $state === 'settlement') {
                    $unsettled[(string) $order['orderId']] = (int) $order['finishTime'];
                } elseif ($state === 'settled') {
                    unset($unsettled[(string) $order['orderId']]);
                }
            }
            $isComplete = $orders->getReturn() && $isComplete;
        }
        if (!$isComplete) {
            throw new \RuntimeException('The order list has fewer orders than its totalCount.');
        }
        $this->store->setProgress(['readUntil' => $now, 'unsettled' => $unsettled]);
    }

    /**
     * Reads the orders of a range, page by page. Returns whether there were as many as the service counts. A page may
     * have fewer orders than requested, so the number of pages says nothing.
     *
     * @return \Generator<int, array<string, mixed>, mixed, bool>
     */
    private function read(int $start, int $end): \Generator
    {
        $seen = [];
        for ($page = 1, $count = 1; count($seen) < $count; $page++) {
            $query = "?startTime=$start&endTime=$end&page=$page&size=" . PAGE_SIZE;
            $data = $this->request($this->url . $query);
            $count = (int) $data['totalCount'];
            $known = count($seen);
            foreach ($data['list'] ?: [] as $order) {
                $seen[(string) $order['orderId']] = true;
                yield $order;
            }
            if (count($seen) === $known) {
                break;
            }
        }

        return count($seen) >= $count;
    }

    /** @return array<string, mixed> */
    private function request(string $url): array
    {
        $headers = [];
        foreach ($this->signer->headers($url) as $name => $value) {
            $headers[] = "$name: $value";
        }
        $options = ['header' => $headers, 'timeout' => 10, 'ignore_errors' => true, 'follow_location' => 0];
        $body = @file_get_contents($url, false, stream_context_create(['http' => $options]));
        // Numbers become text, so that amounts keep their digits.
        $texts = preg_replace('/"(?:[^"\\\\]++|\\\\.)*+"(*SKIP)(*FAIL)|-?\d[\d.eE+-]*/', '"$0"', (string) $body);
        $envelope = json_decode((string) $texts, true, 16);
        if (!is_array($envelope) || ($envelope['code'] ?? '') !== '10000') {
            $code = is_array($envelope) ? $envelope['code'] ?? 'none' : 'none';
            throw new \RuntimeException("The order list could not be read (code $code).");
        }

        return $envelope['data'];
    }

    /**
     * Records an order, and returns its state if it belongs to a checkout of this shop.
     *
     * @param array<string, mixed> $order
     */
    private function record(array $order, int $now): ?string
    {
        $reference = (string) ($order['ext'] ?? '');
        $checkout = $this->store->find($reference);
        $kind = ($order['nftDetails'] ?? '') ? Widget::Nft : Widget::OnRamp;
        $states = $kind === Widget::Nft
            ? ['1' => 'finished', '2' => 'settlement', '3' => 'settled']
            : ['3' => 'finished'];
        $state = $states[$order['orderStatus']] ?? null;
        if ($checkout === null || $state === null) {
            // The checkout was lost, or another system sells under this partner ID. An unknown status may mean
            // anything, also that a finished order was paid back.
            $this->review($order, $checkout === null ? 'unmatched' : "unknown status {$order['orderStatus']}");

            return null;
        }
        $review = findMismatch($order, $kind, $checkout);
        $record = ['order' => $order, 'state' => $state, 'review' => $review, 'changedAt' => $now];
        [$deliver, $review] = $this->store->record($reference, $record);
        if ($deliver) {
            // Book the order here, in one transaction with its record.
            error_log("Deliver the order {$order['orderId']}.");
        }
        if ($review !== null) {
            $this->review($order, $review);
        }

        return $state;
    }

    /**
     * Gives an order to the staff, once for each reason. It may be paid, and must not be delivered by itself.
     *
     * @param array<string, mixed> $order
     */
    private function review(array $order, string $reason): void
    {
        if ($this->store->isNewReview((string) $order['orderId'], $reason)) {
            error_log("Review the order {$order['orderId']}: $reason.");
        }
    }
}

/**
 * Returns what differs between an order and the terms of its checkout, or null. An order that differs is never
 * delivered.
 *
 * @param array<string, mixed> $order
 * @param array<string, mixed> $checkout
 */
function findMismatch(array $order, Widget $kind, array $checkout): ?string
{
    $params = $checkout['params'];
    if ($kind->value !== $checkout['widget']) {
        return 'widget';
    }
    if ($kind === Widget::Nft) {
        foreach (NFT_FIELDS as $name) {
            if (($params[$name] ?? '') !== '' && !isSame($params[$name], $order['nftDetails'][0][$name] ?? '')) {
                return $name;
            }
        }

        return null;
    }
    $isLocked = ($params['walletAddressLocked'] ?? '') === '1' || ($params['walletAddressHidden'] ?? '') === '1';

    return $isLocked && !isSame($params['walletAddress'], $order['walletAddress'] ?? '') ? 'walletAddress' : null;
}

/** Compares two values. The case of a hexadecimal address is only a checksum. */
function isSame(string $term, string $found): bool
{
    return str_starts_with($term, '0x') ? strcasecmp($term, $found) === 0 : $term === $found;
}

/**
 * Returns what the shopper may see of a checkout, as docs/http.md defines it. It has no wallet and no user.
 *
 * @param array<string, mixed> $checkout
 * @param list<array<string, mixed>> $records
 * @return array<string, mixed>
 */
function describeCheckout(array $checkout, array $records, int $now): array
{
    $matched = array_values(array_filter($records, static fn (array $record): bool => $record['review'] === null));
    $reviewed = count($records) - count($matched);
    $progress = $now - $checkout['agreedAt'] > DAY ? 'expired' : 'waiting';
    if ($matched !== []) {
        $progress = array_search(max(array_map(static fn ($record) => RANKS[$record['state']], $matched)), RANKS, true);
    } elseif ($reviewed > 0) {
        $progress = 'review';
    }

    return [
        'reference' => $checkout['reference'],
        'widget' => $checkout['widget'],
        'progress' => $progress,
        'orders' => array_map(describeOrder(...), $matched),
        ...($matched !== [] && $reviewed > 0 ? ['underReview' => $reviewed] : []),
    ];
}

/**
 * @param array<string, mixed> $record
 * @return array<string, mixed>
 */
function describeOrder(array $record): array
{
    ['order' => $order, 'state' => $state] = $record;
    $names = [
        'orderId', 'fiatCurrency', 'currencyAmount', 'cryptoCurrency', 'cryptoCurrencyAmount', 'network',
    ];
    $shown = ['state' => $state, ...array_intersect_key($order, array_flip($names))];
    if (($order['txHash'] ?? '') !== '') {
        $shown['transactionHash'] = $order['txHash'];
        $shown['transactionUrl'] = $order['blockchainExplorer'] . $order['txHash'];
    }
    foreach (['payTime', 'deliverTime', 'finishTime'] as $name) {
        if ((int) ($order[$name] ?? 0) > 0) {
            $shown[$name] = (int) $order[$name];
        }
    }

    return $state === 'finished' ? $shown : [...$shown, 'changedAt' => $record['changedAt']];
}
