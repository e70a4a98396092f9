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

/**
 * Returns the parameters to sign. The proposal is untrusted, so its values only select a listing and are never
 * signed.
 *
 * The user, the wallets and the listings are fixed for demonstration. Take the user from your session, and the rest
 * from your database.
 *
 * @param array<string, string> $proposal
 */
function decide(Widget $widget, array $proposal): Grant
{
    $userId = 'demo-user';
    $userWallet = '0x53e942BE1DceEDE5D0A21167D0eaeC6A7E9f0F2e';
    if ($widget === Widget::OnRamp) {
        return new Grant($userId, ['walletAddress' => $userWallet, 'walletAddressLocked' => '1']);
    }
    $listing = $proposal['merchantUniqueId'] ?? '';
    $item = listings()[$listing] ?? throw new PolicyRefused('This item is not for sale.');

    return new Grant($userId, [
        ...$item,
        'merchantUniqueId' => $listing,
        'contractAddress' => '0x301ef5FB6eA64dEc3cd608C9065cDEC3146e80Da',
        'nftNetwork' => 'polygon',
        'cryptoCurrency' => 'POL_Polygon',
        'walletAddress' => '0xc8dDf9A5247fBEDD2866028de71159bAC42b4eaF', // the shop's wallet, which receives the price
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
            'ownerWalletAddress' => '0x0Dc0B1AcBC3f252Bedc87ff4adfAa36dD0840164',
            'amount' => '99.5',
        ],
    ];
}
