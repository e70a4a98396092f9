<?php

declare(strict_types=1);

namespace PartnerRamp;

/** A later state never gives way to an earlier one, in whatever order they are read. */
const RANKS = ['finished' => 1, 'settlement' => 2, 'settled' => 3];

/** How long the digest of a webhook is kept. */
const REPLAY_SECONDS = 3600;

/**
 * Stores checkouts, orders and webhooks as files. Names that others choose are hashed, so they cannot leave their
 * folder.
 *
 * Production needs a database with backups that all instances share, and a job that deletes checkouts without an
 * order.
 */
final class CheckoutStore
{
    public function __construct(private readonly string $directory)
    {
    }

    /**
     * Stores a new checkout. Call this before signing, so that no order can arrive with an unknown reference.
     *
     * @param array<string, mixed> $agreed
     */
    public function keep(string $reference, array $agreed): void
    {
        if (!$this->create($this->path('checkouts', $reference), $agreed)) {
            throw new \RuntimeException('This reference is in use. Create a new one.');
        }
    }

    /**
     * Returns the terms for a reference, or null if it is unknown. The order of a checkout has the reference in
     * `ext`.
     *
     * @return array<string, mixed>|null
     */
    public function find(string $reference): ?array
    {
        return $this->read($this->path('checkouts', $reference));
    }

    /**
     * Stores the state of an order. Returns whether the order must be delivered now, which happens once for each
     * checkout, and otherwise why the staff must look at it. Only sync.php calls it, in one process at a time.
     *
     * @param array<string, mixed> $record with `order`, `state`, `review` and `changedAt`
     * @return array{bool, ?string}
     */
    public function record(string $reference, array $record): array
    {
        $id = (string) $record['order']['orderId'];
        $path = $this->path("orders-$reference", $id);
        $known = $this->read($path);
        if ($known !== null && RANKS[$known['state']] >= RANKS[$record['state']]) {
            return [false, null];
        }
        $record['review'] = ($known['review'] ?? null) ?: $record['review'];
        $deliver = false;
        $review = $record['review'];
        if ($review === null) {
            $delivery = $this->path('deliveries', $reference);
            $deliver = $this->create($delivery, [$id]);
            if ($this->read($delivery) !== [$id]) {
                // An NFT is sold once. Crypto has arrived twice, which the shopper sees, but may not have wanted.
                $isNft = (bool) ($record['order']['nftDetails'] ?? '');
                $review = $isNft ? 'second-order' : 'paid again';
                $record['review'] = $isNft ? $review : null;
            }
        }
        $this->replace($path, $record);

        return [$deliver, $review];
    }

    /** Stores what the staff is told about an order. Returns false if the staff was told before. */
    public function isNewReview(string $orderId, string $reason): bool
    {
        return $this->create($this->path('reviews', "$orderId: $reason"), ['orderId' => $orderId, 'reason' => $reason]);
    }

    /**
     * Returns the orders of a checkout, oldest first.
     *
     * @return list<array<string, mixed>>
     */
    public function ordersOf(string $reference): array
    {
        $paths = glob(dirname($this->path("orders-$reference", '')) . '/*.json') ?: [];
        $records = array_filter(array_map($this->read(...), $paths));
        $sortKey = static fn (array $record): array => [$record['order']['finishTime'], $record['order']['orderId']];
        usort($records, static fn (array $a, array $b): int => $sortKey($a) <=> $sortKey($b));

        return $records;
    }

    /** Stores the digest of an accepted webhook. Returns false for a replay. */
    public function isNewWebhook(string $digest, int $now): bool
    {
        foreach (glob("{$this->directory}/webhooks/*.json") ?: [] as $path) {
            if (@filemtime($path) < $now - REPLAY_SECONDS) {
                @unlink($path);
            }
        }

        return $this->create($this->path('webhooks', $digest), [$now]);
    }

    /** @return array<string, mixed>|null */
    public function progress(): ?array
    {
        return $this->read($this->path('progress', 'orders'));
    }

    /** @param array<string, mixed> $progress */
    public function setProgress(array $progress): void
    {
        $this->replace($this->path('progress', 'orders'), $progress);
    }

    /** Says that there is something to read in the order list. */
    public function requestSync(): void
    {
        $this->create($this->path('progress', 'due'), []);
    }

    /** Returns whether a sync was requested, and forgets it. */
    public function takeRequest(): bool
    {
        return @unlink($this->path('progress', 'due'));
    }

    /** Returns the path of an entry. Names are untrusted, so they are hashed and cannot leave the directory. */
    private function path(string $kind, string $name): string
    {
        [$folder, $of] = explode('-', $kind, 2) + [1 => ''];
        $folder = $of === '' ? $folder : "$folder-" . hash('sha256', $of);

        return "{$this->directory}/$folder/" . hash('sha256', $name) . '.json';
    }

    /**
     * Writes a new file. Returns false if it exists. Two requests at the same time cannot both create it.
     *
     * @param array<array-key, mixed> $content
     */
    private function create(string $path, array $content): bool
    {
        $this->createDirectory(dirname($path));
        $file = @fopen($path, 'x');
        if ($file === false && file_exists($path)) {
            return false;
        }
        $json = json_encode($content, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        if ($file === false || fwrite($file, $json) !== strlen($json) || !fclose($file)) {
            throw new \RuntimeException(
                "A file cannot be written in {$this->directory}. Check its permissions and the free disk space.",
            );
        }

        return true;
    }

    /**
     * Writes a file at once, so that nobody reads a part of it.
     *
     * @param array<array-key, mixed> $content
     */
    private function replace(string $path, array $content): void
    {
        $this->createDirectory(dirname($path));
        $part = "$path." . bin2hex(random_bytes(6));
        file_put_contents($part, json_encode($content, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES));
        rename($part, $path);
    }

    /** @return array<array-key, mixed>|null */
    private function read(string $path): ?array
    {
        return is_file($path) ? json_decode(file_get_contents($path), true, 16, JSON_THROW_ON_ERROR) : null;
    }

    private function createDirectory(string $directory): void
    {
        if (!is_dir($directory) && !@mkdir($directory, 0700, true) && !is_dir($directory)) {
            throw new \RuntimeException(
                "The directory $directory cannot be created. Set RAMP_CHECKOUTS_DIR to a writable directory.",
            );
        }
    }
}
