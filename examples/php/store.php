<?php

declare(strict_types=1);

namespace PartnerRamp;

/**
 * Stores the terms of each checkout in a file, by its reference. Compare them with the order when it arrives.
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
        if (!is_dir($this->directory) && !@mkdir($this->directory, 0700, true) && !is_dir($this->directory)) {
            throw new \RuntimeException(
                "The directory {$this->directory} cannot be created. Set RAMP_CHECKOUTS_DIR to a writable directory.",
            );
        }
        $file = @fopen($this->path($reference), 'x');
        $json = json_encode($agreed, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        if ($file === false || fwrite($file, $json) !== strlen($json) || !fclose($file)) {
            throw new \RuntimeException(
                "A checkout cannot be written in {$this->directory}. Check its permissions and the free disk space.",
            );
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
        $path = $this->path($reference);

        return is_file($path) ? json_decode(file_get_contents($path), true, 16, JSON_THROW_ON_ERROR) : null;
    }

    /** Returns the path of a checkout. References are untrusted, so they are hashed and cannot leave the directory. */
    private function path(string $reference): string
    {
        return $this->directory . '/' . hash('sha256', $reference) . '.json';
    }
}
