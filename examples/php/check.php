<?php

/**
 * Checks that the signer agrees with the test vectors of signing-vectors.json and refuses invalid input.
 *
 *     php check.php [path of signing-vectors.json]
 */

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/signer.php';
require_once __DIR__ . '/api.php';
require_once __DIR__ . '/webhook.php';
require_once __DIR__ . '/policy.php';
require_once __DIR__ . '/store.php';
require_once __DIR__ . '/checkouts.php';
require_once __DIR__ . '/orders.php';
require_once __DIR__ . '/checks/report.php';
require_once __DIR__ . '/checks/vectors.php';
require_once __DIR__ . '/checks/ambiguous.php';
require_once __DIR__ . '/checks/signer.php';
require_once __DIR__ . '/checks/route.php';
require_once __DIR__ . '/checks/outcomes.php';

$path = $argv[1] ?? (getenv('SIGNING_VECTORS') ?: __DIR__ . '/../../docs/signing-vectors.json');
if (!is_file($path)) {
    fwrite(STDERR, "$path does not exist. Pass the path of signing-vectors.json as the first argument.\n");
    exit(2);
}
$vectors = json_decode((string) file_get_contents($path), true, 32, JSON_THROW_ON_ERROR);
$checks = new Checks();
$checks->group('ext', static fn (Checks $checks) => checkExt($checks, $vectors['ext']));
$checks->group('widget', static fn (Checks $checks) => checkWidgets($checks, $vectors['widget']));
$checks->group('api', static fn (Checks $checks) => checkApi($checks, $vectors['api'], $vectors['keys']));
$checks->group('webhook', static fn (Checks $checks) => checkWebhooks($checks, $vectors['webhook'], $vectors['keys']));
$checks->group('ambiguous', static fn (Checks $checks) => checkAmbiguousWebhooks($checks, $vectors['keys']));
$checks->skip('signed bodies are not supported', ...array_column($vectors['signedBody'] ?? [], 'name'));
$checks->group('signer', checkSigner(...));
$checks->group('route', checkRoute(...));
$checks->group('outcomes', checkOutcomes(...));
exit($checks->finish());
