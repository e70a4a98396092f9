<?php

declare(strict_types=1);

namespace PartnerRamp;

/** A text that cannot be signed. The message names the item and never repeats its value. */
final class SigningError extends \InvalidArgumentException
{
}

/**
 * Encodes like JavaScript's encodeURIComponent, which is what the service does with `ext` and what a page
 * does with every value of the URL. rawurlencode alone also encodes ! ' ( ) and *.
 */
function encodeComponent(string $text): string
{
    if (preg_match('//u', $text) !== 1) {
        throw new SigningError('A text to be encoded is not valid UTF-8. Convert it to UTF-8 first.');
    }

    return strtr(rawurlencode($text), ['%21' => '!', '%27' => "'", '%28' => '(', '%29' => ')', '%2A' => '*']);
}

/**
 * Leaves out the items without a name or a value: they are neither signed nor sent. "0" is a value and stays,
 * which is why neither empty() nor a bare array_filter() would do.
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
 * The joined text of all three signatures: `name=value`, sorted by name in ASCII order, joined with `&`.
 *
 * Values are joined unescaped. One with `&` or `=` would read as further items under the same signature, so it
 * is refused and never stripped.
 *
 * @param array<array-key, string> $items
 */
function joinItems(array $items): string
{
    $items = dropEmpty($items);
    ksort($items, SORT_STRING);
    $pairs = [];
    foreach ($items as $name => $value) {
        if (strpbrk($name . $value, '&=') !== false) {
            throw new SigningError("The item \"$name\" contains & or =, which cannot be signed. Use A-Z a-z 0-9 . _ -");
        }
        $pairs[] = "$name=$value";
    }

    return implode('&', $pairs);
}
