<?php

declare(strict_types=1);

namespace PartnerRamp;

/** The two widgets and the parameters that each of them signs. */
enum Widget: string
{
    case OnRamp = 'on-ramp';
    case Nft = 'nft';

    private const TEXT = '[\x21-\x7E]+';
    private const CODE = '[A-Za-z0-9._-]+';
    private const FLAG = '[01]';

    /** Made by the signer, never by its caller. */
    private const MADE = ['partnerId', 'timestamp', 'nonce', 'signature'];

    /**
     * The signed parameters with the form of their values. `amount` and `cryptoCurrency` are signed for NFTs only.
     *
     * @return array<string, string> regular expressions by name
     */
    private function forms(): array
    {
        return match ($this) {
            self::OnRamp => [
                'ext' => '.+',
                'walletAddress' => self::TEXT,
                'walletAddressLocked' => self::FLAG,
                'walletAddressHidden' => self::FLAG,
            ],
            self::Nft => [
                'ext' => '.+',
                'contractAddress' => self::TEXT,
                'nftNetwork' => '[a-z0-9_-]+',
                'type' => 'MARKET|MINT',
                'tokenId' => self::TEXT,
                'ownerWalletAddress' => self::TEXT,
                'mintQuantity' => '[1-9][0-9]*',
                'transferWalletAddress' => self::TEXT,
                'cryptoCurrency' => self::CODE,
                'amount' => '[0-9]+(?:\.[0-9]{1,18})?',
                'walletAddress' => self::TEXT,
                'walletAddressTag' => self::TEXT,
                'merchantUniqueId' => self::TEXT,
                'merchantOrderNo' => self::TEXT,
                'externalCustomerId' => self::TEXT,
            ],
        };
    }

    /** Whether the service takes this parameter into the text of this widget. */
    public function signs(string $name): bool
    {
        return in_array($name, self::MADE, true) || isset($this->forms()[$name]);
    }

    /**
     * Refuses what the service would refuse, before it is signed.
     *
     * @param array<array-key, string> $params without empty values
     */
    public function check(array $params): void
    {
        $forms = $this->forms();
        foreach ($params as $name => $value) {
            if (!isset($forms[$name])) {
                throw new SigningError(
                    "\"$name\" is not a parameter that the caller of the signer sets for {$this->value}.",
                );
            }
            checkValue((string) $name, $value);
            if (preg_match('~^(?:' . $forms[$name] . ')$~Ds', $value) !== 1) {
                throw new SigningError("\"$name\" has the wrong form for {$this->value}; see the table of parameters.");
            }
        }
        foreach ($this->required($params['type'] ?? '') as $name) {
            if (!isset($params[$name])) {
                throw new SigningError("\"$name\" is missing or empty; {$this->value} needs it.");
            }
        }
    }

    /**
     * walletAddressTag is not listed: a chain without tags has none, and an empty value is not sent.
     *
     * @return list<string>
     */
    private function required(string $type): array
    {
        if ($this === self::OnRamp) {
            return ['walletAddress'];
        }
        $names = [
            'contractAddress', 'nftNetwork', 'type', 'transferWalletAddress',
            'cryptoCurrency', 'amount', 'walletAddress',
        ];

        return [...$names, ...($type === 'MARKET' ? ['tokenId', 'ownerWalletAddress'] : ['mintQuantity'])];
    }
}

/**
 * Refuses the characters that are ambiguous in a signed text. `ext` is encoded before it is signed, so it may
 * have any text.
 */
function checkValue(string $name, string $value): void
{
    if ($name === 'ext') {
        return;
    }
    if (strlen($value) > 512 || preg_match('/^[\x21-\x7E]*$/D', $value) !== 1 || strpbrk($value, '&=%+#?') !== false) {
        throw new SigningError(
            "\"$name\" is longer than 512 characters or has one of & = % + # ?, white space or a character outside "
            . 'ASCII. Use A-Z a-z 0-9 . _ -',
        );
    }
}
