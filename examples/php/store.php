<?php

declare(strict_types=1);

namespace PartnerRamp;

/**
 * Keeps what was agreed under the reference of a checkout, one file each, to compare with the order later.
 *
 * Production needs a database with backups that all instances share, and a job that deletes checkouts which never
 * became an order.
 */
final class CheckoutStore
{
    public function __construct(private readonly string $directory)
    {
    }

    /**
     * Writes a new checkout before it is signed, so that no order can arrive for an unknown reference.
     *
     * @param array<string, mixed> $agreed
     */
    public function keep(string $reference, array $agreed): void
    {
        if (!is_dir($this->directory) && !@mkdir($this->directory, 0700, true) && !is_dir($this->directory)) {
            throw new \RuntimeException(
                "The directory {$this->directory} cannot be made. Set RAMP_CHECKOUTS_DIR to one that can.",
            );
        }
        $file = @fopen($this->path($reference), 'x');
        $json = json_encode($agreed, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        if ($file === false || fwrite($file, $json) !== strlen($json) || !fclose($file)) {
            throw new \RuntimeException(
                "A checkout cannot be written in {$this->directory}. Check the rights and the free space.",
            );
        }
    }

    /**
     * What was agreed under the reference that an order carries in `ext`; null if this shop did not make it.
     *
     * @return array<string, mixed>|null
     */
    public function find(string $reference): ?array
    {
        $path = $this->path($reference);

        return is_file($path) ? json_decode(file_get_contents($path), true, 16, JSON_THROW_ON_ERROR) : null;
    }

    /** A reference may come from outside, so it is hashed and cannot leave the directory. */
    private function path(string $reference): string
    {
        return $this->directory . '/' . hash('sha256', $reference) . '.json';
    }
}
