<?php

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/store.php';

/** An environment variable that the operator has not set. The message is logged. */
final class MissingSetting extends \RuntimeException
{
}

/** Reads an environment variable that has no default. */
function setting(string $name): string
{
    $value = getenv($name);

    return is_string($value) && $value !== ''
        ? $value
        : throw new MissingSetting("$name is not set. Set it in the environment.");
}

function checkoutsDirectory(): string
{
    return getenv('RAMP_CHECKOUTS_DIR') ?: __DIR__ . '/var';
}

function openStore(): CheckoutStore
{
    return new CheckoutStore(checkoutsDirectory());
}
