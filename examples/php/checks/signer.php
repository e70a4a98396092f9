<?php

declare(strict_types=1);

namespace PartnerRamp;

/** Checks that the signer refuses invalid parameters and keeps valid ones. */
function checkSigner(Checks $checks): void
{
    $signer = new WidgetSigner('demo-partner', 'demonstration-key');
    foreach (['a&b', 'a=b', 'a%b', 'a+b', 'a#b', 'a?b', 'a b', "a\n", 'ä', str_repeat('a', 513)] as $value) {
        $checks->refuses(
            'signed value ' . json_encode($value),
            SigningError::class,
            static fn () => $signer->sign(Widget::OnRamp, ['walletAddress' => $value]),
        );
    }
    $wallet = ['walletAddress' => '0x1'];
    $tag = ['walletAddressTag' => ''];
    $nft = [
        ...$wallet, ...$tag, 'contractAddress' => '0x2', 'nftNetwork' => 'polygon', 'type' => 'MINT',
        'mintQuantity' => '1', 'transferWalletAddress' => '0x3', 'cryptoCurrency' => 'ETH', 'amount' => '0.05',
    ];
    $refused = [
        'without a wallet' => fn () => $signer->sign(Widget::OnRamp, []),
        'unsigned parameter as signed' => fn () => $signer->sign(Widget::OnRamp, [...$wallet, 'amount' => '1']),
        'nonce of the caller' => fn () => $signer->sign(Widget::OnRamp, [...$wallet, 'nonce' => '1']),
        'flag with another value' => fn () => $signer->sign(Widget::OnRamp, [...$wallet, 'walletAddressLocked' => '2']),
        'documented name as extra' => fn () => $signer->sign(Widget::OnRamp, $wallet, ['walletAddressLocked' => '1']),
        'ext that is not UTF-8' => fn () => $signer->sign(Widget::OnRamp, [...$wallet, 'ext' => "\xED\xA0\x80"]),
        'signed parameter as unsigned' =>
            fn () => widgetUrl('https://pay.example', Widget::Nft, $wallet, ['amount' => '1']),
        'NFT without walletAddressTag' => fn () => $signer->sign(Widget::Nft, array_diff_key($nft, $tag)),
        'extra name outside ASCII' => fn () => $signer->sign(Widget::OnRamp, $wallet, ['é' => '1']),
        'secret with white space' => fn () => new WidgetSigner('demo-partner', "demonstration-key\n"),
    ];
    foreach ($refused as $name => $call) {
        $checks->refuses($name, SigningError::class, $call);
    }
    $params = [...$wallet, 'walletAddressLocked' => '0', 'ext' => ''];
    $signed = $signer->sign(Widget::OnRamp, $params, ['7' => '1', 'timeout' => '']);
    $checks->same(
        '"0" is signed, empty is not',
        ['walletAddress', 'walletAddressLocked', '7', 'partnerId', 'timestamp', 'nonce', 'signature'],
        array_map(strval(...), array_keys($signed)),
    );
    $checks->same(
        'an empty walletAddressTag is neither signed nor sent',
        false,
        isset($signer->sign(Widget::Nft, $nft)['walletAddressTag']),
    );
    $checks->same('no secret in a dump', false, str_contains(print_r($signer, true), 'demonstration-key'));
}
