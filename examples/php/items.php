<?php

declare(strict_types=1);

namespace PartnerRamp;

/** Invalid input of a signature: a parameter, an address, a query or a key. The message never contains its value. */
final class SigningError extends \InvalidArgumentException
{
}

/**
 * Encodes like JavaScript's encodeURIComponent. The service encodes `ext` in this way before it signs, and a page
 * encodes every value of the URL in this way. rawurlencode would also encode ! ' ( ) and *.
 */
function encodeComponent(string $text): string
{
    if (preg_match('//u', $text) !== 1) {
        throw new SigningError('A text to be encoded is not valid UTF-8. Convert it to UTF-8 first.');
    }

    return strtr(rawurlencode($text), ['%21' => '!', '%27' => "'", '%28' => '(', '%29' => ')', '%2A' => '*']);
}

/**
 * Removes items without a name or a value, which are neither signed nor sent. "0" is a value, but empty() and
 * array_filter() without a callback would remove it.
 *
 * @param array<array-key, string> $items
 * @return array<array-key, string>
 */
function dropEmpty(array $items): array
{
    return array_filter(
        $items,
        static fn (string $value, int|string $name): bool => $name !== '' && $value !== '',
        ARRAY_FILTER_USE_BOTH,
    );
}

/**
 * Joins items as all three signatures need them: `name=value`, sorted by name in ASCII order, joined with `&`.
 *
 * Names outside ASCII are refused, because languages sort them differently. Values are joined unescaped, so a value
 * with `&` or `=` could be read as further items under the same signature. Such a value is refused, not changed.
 *
 * @param array<array-key, string> $items
 */
function joinItems(array $items): string
{
    $items = dropEmpty($items);
    ksort($items, SORT_STRING);
    $pairs = [];
    foreach ($items as $name => $value) {
        if (preg_match('/[^\x00-\x7F]/', (string) $name) === 1) {
            throw new SigningError("The name \"$name\" has a character outside ASCII. Rename it.");
        }
        if (strpbrk($name . $value, '&=') !== false) {
            throw new SigningError("The item \"$name\" contains & or =, which cannot be signed. Use A-Z a-z 0-9 . _ -");
        }
        $pairs[] = "$name=$value";
    }

    return implode('&', $pairs);
}
