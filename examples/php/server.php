<?php

/**
 * A backend for the checkout components: POST /api/ramp/checkouts.
 *
 *     php -S 127.0.0.1:8080 server.php
 */

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/signer.php';
require_once __DIR__ . '/policy.php';
require_once __DIR__ . '/store.php';
require_once __DIR__ . '/checkouts.php';

[$status, $body] = respond();
http_response_code($status);
header('Content-Type: application/json');
header('Cache-Control: no-store');
header('X-Content-Type-Options: nosniff');
echo json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);

/**
 * Handles the request. An error that the page can handle is sent to the page. Every other error is logged.
 *
 * @return array{int, array<string, mixed>} status and body
 */
function respond(): array
{
    try {
        if (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) !== '/api/ramp/checkouts') {
            throw new RequestRefused(404, 'ERR_REQUEST', 'Route not found. Use POST /api/ramp/checkouts.');
        }
        $proposal = readProposal(
            $_SERVER['REQUEST_METHOD'],
            $_SERVER['HTTP_ORIGIN'] ?? '',
            $_SERVER['CONTENT_TYPE'] ?? '',
            (string) file_get_contents('php://input', false, null, 0, MAX_BODY_BYTES + 1),
            explode(',', setting('RAMP_ALLOWED_ORIGINS')),
        );
        $signer = new WidgetSigner(setting('RAMP_PARTNER_ID'), setting('RAMP_SECRET_KEY'));
        $store = new CheckoutStore(getenv('RAMP_CHECKOUTS_DIR') ?: __DIR__ . '/var/checkouts');

        return [201, grantCheckout($proposal, $signer, $store)];
    } catch (RequestRefused $refused) {
        if ($refused->status === 405) {
            header('Allow: POST');
        }

        return problem($refused->status, $refused->errorCode, $refused->getMessage());
    } catch (PolicyRefused $refused) {
        return problem(403, 'ERR_POLICY_REFUSED', $refused->getMessage());
    } catch (MissingSetting $missing) {
        error_log($missing->getMessage());

        return problem(500, 'ERR_CONFIG_INVALID', 'The checkout is currently not available.');
    } catch (\Throwable $error) {
        error_log(get_class($error) . ': ' . $error->getMessage());

        return problem(500, 'ERR_INTERNAL', 'The checkout is currently not available.');
    }
}

/** @return array{int, array<string, mixed>} */
function problem(int $status, string $code, string $message): array
{
    return [$status, ['error' => ['code' => $code, 'message' => $message]]];
}

/** Reads an environment variable that has no default. */
function setting(string $name): string
{
    $value = getenv($name);

    return is_string($value) && $value !== ''
        ? $value
        : throw new MissingSetting("$name is not set. Set it in the environment.");
}
