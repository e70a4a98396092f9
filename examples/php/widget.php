<?php

declare(strict_types=1);

namespace PartnerRamp;

/** The two hosted widgets. Each has its own signed parameters. */
enum Widget: string
{
    case OnRamp = 'on-ramp';
    case Nft = 'nft';

    private const TEXT = '[\x21-\x7E]+';
    private const CODE = '[A-Za-z0-9._-]+';
    private const FLAG = '[01]';

    /** The parameters that only the signer sets, never its caller. */
    private const MADE = ['partnerId', 'timestamp', 'nonce', 'signature'];

    /**
     * Returns the signed parameters and the formats of their values. `amount` and `cryptoCurrency` are signed only
     * for NFTs.
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

    /** Returns whether a page may propose the parameter. The reference is the backend's. */
    public function allowsProposal(string $name): bool
    {
        return $name !== 'ext' && isset($this->forms()[$name]);
    }

    /** Returns whether this is a signed parameter of the widget, or the signature itself. */
    public function signs(string $name): bool
    {
        return in_array($name, self::MADE, true) || isset($this->forms()[$name]);
    }

    /**
     * Refuses parameters that the service would refuse, before they are signed. Empty values count as absent. The
     * exception is walletAddressTag: it must always be passed, and is '' for a chain without tags.
     *
     * @param array<array-key, string> $params
     */
    public function check(array $params): void
    {
        if ($this === self::Nft && !isset($params['walletAddressTag'])) {
            throw new SigningError("\"walletAddressTag\" is missing; pass '' for a chain without tags.");
        }
        $params = dropEmpty($params);
        $forms = $this->forms();
        foreach ($params as $name => $value) {
            if (!isset($forms[$name])) {
                throw new SigningError(
                    "\"$name\" is not a signed parameter of {$this->value}, or the signer sets it. Remove it.",
                );
            }
            checkValue((string) $name, $value);
            if (preg_match('~^(?:' . $forms[$name] . ')$~Ds', $value) !== 1) {
                throw new SigningError("\"$name\" has a wrong format for {$this->value}; see the table of parameters.");
            }
        }
        foreach ($this->required($params['type'] ?? '') as $name) {
            if (!isset($params[$name])) {
                throw new SigningError("\"$name\" is missing or empty; {$this->value} needs it.");
            }
        }
    }

    /**
     * Returns the parameters that need a value. walletAddressTag may be empty.
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
 * Refuses values with characters that are ambiguous in a signed text. `ext` may contain any text, because it is
 * encoded before it is signed.
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
