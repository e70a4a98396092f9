<?php

declare(strict_types=1);

namespace PartnerRamp;

/** Counts the checks and prints those that failed. */
final class Checks
{
    private int $passed = 0;
    private int $failed = 0;

    public function same(string $name, mixed $expected, mixed $actual): void
    {
        if ($expected === $actual) {
            $this->passed++;

            return;
        }
        $this->failed++;
        printf("FAILED %s\n  expected %s\n  got      %s\n", $name, json_encode($expected), json_encode($actual));
    }

    /** @param class-string<\Throwable> $class */
    public function refuses(string $name, string $class, callable $call): void
    {
        try {
            $call();
            $this->same($name, $class, 'no error');
        } catch (\Throwable $error) {
            $this->same($name, $class, get_class($error));
        }
    }

    /** Runs a group of checks. An unexpected error counts as a failed check and does not stop the other groups. */
    public function group(string $name, callable $checks): void
    {
        try {
            $checks($this);
        } catch (\Throwable $error) {
            $this->same($name, 'no error', get_class($error) . ': ' . $error->getMessage());
        }
    }

    /** Prints the names of test vectors that are not checked. */
    public function skip(string $reason, string ...$names): void
    {
        foreach ($names as $name) {
            echo "skipped: $name ($reason)\n";
        }
    }

    /** Prints the totals and returns the exit code. */
    public function finish(): int
    {
        echo "{$this->passed} passed, {$this->failed} failed\n";

        return $this->failed === 0 && $this->passed > 0 ? 0 : 1;
    }
}
