<?php

/** Decides who buys what. REPLACE IT: sessions and wallets are fixed for demonstration. */

declare(strict_types=1);

// Your session store. The cookie contains a random token, never a user's name.
const SESSIONS = ['demo-session-of-ann' => 'ann', 'demo-session-of-bob' => 'bob'];
const WALLETS = [
    'ann' => '0x53e942Be1dceeDE5D0a21167D0eAEc6a7E9F0f2e',
    'bob' => '0x4ee6E0cBCEAaeaE63E367c29Ba80bA21eaBd8f06',
];

/** Returns the user of the session, or null if nobody is signed in. */
function findUser(): ?string
{
    $session = $_COOKIE['session'] ?? null;
    return is_string($session) ? SESSIONS[$session] ?? null : null;
}

/** Returns the parameters to sign: your own values, never those of the page. */
function decide(string $user): array
{
    return ['walletAddress' => WALLETS[$user], 'walletAddressLocked' => '1'];
}
