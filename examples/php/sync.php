<?php

/**
 * Reads the order list once, for a scheduled job. With --loop it reads the list at intervals, and at once after a
 * webhook, until it is stopped.
 *
 *     php sync.php [--loop]
 */

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/settings.php';
require_once __DIR__ . '/orders.php';

$store = openStore();
$signer = new ApiSigner(setting('RAMP_PARTNER_ID'), setting('RAMP_API_PRIVATE_KEY'));
$sync = new OrderSync(setting('RAMP_API_URL'), $signer, $store);
$isLoop = in_array('--loop', $argv, true);
$pollSeconds = (float) (getenv('RAMP_POLL_SECONDS') ?: 60);
// One process reads at a time.
$lock = fopen(sys_get_temp_dir() . '/ramp-sync-' . hash('sha256', checkoutsDirectory()) . '.lock', 'c');
if ($lock === false || !flock($lock, LOCK_EX | LOCK_NB)) {
    exit("Another sync runs.\n");
}
do {
    $readAt = microtime(true);
    $store->takeRequest();
    try {
        $sync->sync(time());
    } catch (\RuntimeException $error) {
        error_log($error->getMessage()); // the next interval tries again
        $isLoop || exit(1);
    }
    while ($isLoop && microtime(true) < $readAt + $pollSeconds && !$store->takeRequest()) {
        usleep(100_000);
    }
} while ($isLoop);
