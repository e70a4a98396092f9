<?php

declare(strict_types=1);

namespace PartnerRamp;

require_once __DIR__ . '/widget.php';

/** The error of a policy that refuses a checkout. The message is shown to the shopper. */
final class PolicyRefused extends \RuntimeException
{
}

/** The decision of a policy that allows a checkout. */
final class Grant
{
    /** @param array<string, string> $params */
    public function __construct(public readonly string $userId, public readonly array $params)
    {
    }
}

// The sessions, wallets and listings are fixed for demonstration. Take the user from your session, and the rest from
// your database. The cookie has a random token, never the name of a user.
const SESSIONS = ['demo-session-of-ann' => 'ann', 'demo-session-of-bob' => 'bob'];
const WALLETS = [
    'ann' => '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
    'bob' => '0x4ee6E0cBCEAaeaE63E367c29Ba80bA21eaBd8f06',
];

/**
 * Returns the user of the session, or null if nobody is signed in.
 *
 * @param array<string, mixed> $cookies
 */
function findUser(array $cookies): ?string
{
    $session = $cookies['session'] ?? null;

    return is_string($session) ? SESSIONS[$session] ?? null : null;
}

/**
 * Returns the parameters to sign. The proposal is untrusted, so its values only select a listing and are never
 * signed.
 *
 * @param array<string, string> $proposal
 */
function decide(?string $userId, Widget $widget, array $proposal): Grant
{
    if ($userId === null) {
        throw new PolicyRefused('Sign in to buy.');
    }
    $userWallet = WALLETS[$userId];
    if ($widget === Widget::OnRamp) {
        return new Grant($userId, ['walletAddress' => $userWallet, 'walletAddressLocked' => '1']);
    }
    $listing = $proposal['merchantUniqueId'] ?? '';
    $item = listings()[$listing] ?? throw new PolicyRefused('This item is not for sale.');

    return new Grant($userId, [
        ...$item,
        'merchantUniqueId' => $listing,
        'contractAddress' => '0x301EF5fB6Ea64dEc3CD608C9065cDEC3146E80DA',
        'nftNetwork' => 'polygon',
        'cryptoCurrency' => 'POL_Polygon',
        'walletAddress' => '0xc8DdF9a5247FBEdD2866028De71159bac42b4Eaf', // the shop's wallet, which receives the price
        'walletAddressTag' => '', // this chain has no tags
        'transferWalletAddress' => $userWallet,
    ]);
}

/** @return array<string, array<string, string>> the items for sale, by merchantUniqueId */
function listings(): array
{
    return [
        'print-7' => ['type' => 'MINT', 'mintQuantity' => '1', 'amount' => '250'],
        'print-8' => ['type' => 'MINT', 'mintQuantity' => '2', 'amount' => '0.050'],
        'original-17' => [
            'type' => 'MARKET',
            'tokenId' => '17',
            'ownerWalletAddress' => '0x0Dc0B1ACBc3f252BEdC87fF4AdfAa36DD0840164',
            'amount' => '99.5',
        ],
    ];
}
