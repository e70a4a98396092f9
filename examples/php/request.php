<?php

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/items.php';

/**
 * Returns the signed text of a partner API request or a webhook: method, host, path, `?` and the joined items, one
 * directly after the other.
 *
 * @param string $address absolute URL; its query is not used
 * @param array<string, string> $headers signed headers, names in lower case
 * @param array<array-key, string> $query decoded query parameters
 */
function requestText(string $method, string $address, array $headers, array $query): string
{
    $parts = parse_url($address);
    if ($parts === false || !isset($parts['host'])) {
        throw new SigningError('The address is not an absolute URL. Write it with scheme and host.');
    }
    if (array_intersect_key($headers, $query) !== []) {
        throw new SigningError('A query parameter has the name of a signed header. Rename the parameter.');
    }
    // Write the host as an HTTP client sends it: in lower case, and without the default port of the scheme.
    $default = ['http' => 80, 'https' => 443][strtolower($parts['scheme'] ?? '')] ?? null;
    $port = $parts['port'] ?? $default;
    $host = strtolower($parts['host']) . ($port === $default ? '' : ":$port");

    return strtoupper($method) . $host . ($parts['path'] ?? '/') . '?' . joinItems($headers + $query);
}

/**
 * Parses a query string. parse_str() cannot be used: it renames parameters, builds arrays, and keeps only the last of
 * two parameters with the same name, so the signed text would differ from the query.
 *
 * @return array<array-key, string> decoded values by name
 */
function parseQuery(string $query): array
{
    $items = [];
    foreach (explode('&', $query) as $pair) {
        if ($pair === '') {
            continue;
        }
        [$name, $value] = array_map(urldecode(...), explode('=', $pair, 2) + [1 => '']);
        // urldecode() keeps a malformed "%zz", which other languages read differently.
        if (preg_match('/%(?![0-9A-Fa-f]{2})/', $pair) === 1 || preg_match('//u', $name . $value) !== 1) {
            throw new SigningError('The query has malformed percent-encoding. Encode its UTF-8 bytes.');
        }
        if (isset($items[$name])) {
            throw new SigningError("The query parameter \"$name\" occurs twice. Send it once.");
        }
        $items[$name] = $value;
    }

    return $items;
}
