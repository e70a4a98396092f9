import type { WalletFamily } from '../../../src/server/index.js';

/** Addresses from the specifications and official documents of each chain. */
export const publishedAddresses: Readonly<Record<WalletFamily, readonly string[]>> = {
  // https://eips.ethereum.org/EIPS/eip-55
  evm: [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ],
  // BIP-173 and BIP-350, and Base58Check: the genesis block, BIP-13 and test/util/data of Bitcoin Core
  bitcoin: [
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    'BC1SW50QGDZ25J',
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '1AGNa15ZQXAZUgFiqJ2i7Z2DPU2J6hW62i',
    '3P14159f73E4gFr7JterCCQh9QjiTjiZrG',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    '3CMNFxN1oHBc4R1EpboAL5yzHGgE611Xou',
  ],
  litecoin: [
    'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1',
    'MQMcJhpWHYVeQArcZR3sBgyPZxxRtnH441',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
  ],
  dogecoin: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', 'D596YFweJQuHY1BbjazZYmAbt8jJPbKehC'],
  // The documents of TRON, and the contract of USDT
  tron: [
    'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
    'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy',
  ],
  solana: [
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    '11111111111111111111111111111111',
  ],
  // Special addresses of xrpl.org, and the tests of ripple-address-codec (XLS-5)
  xrp: [
    'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
    'rrrrrrrrrrrrrrrrrrrrBZbvji',
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
    'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf',
    'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ',
    'XVZVpQj8YSVpNyiwXYSqvQoQqgBttTxAZwMcuJd4xteQHyt',
    'X7YenJqxv3L66CwhBSfd3N8RzGXxYqPopMGMsCcpho79rex',
  ],
  // SEP-23
  stellar: [
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
  ],
  // docs.ton.org
  ton: [
    'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
    'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c',
  ],
  // CIP-19
  cardano: [
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
    'addr1z8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gten0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs9yc0hh',
    'addr1yx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerkr0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shs2z78ve',
    'addr1x8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gt7r0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shskhj42g',
    'addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k',
    'addr128phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtupnz75xxcrtw79hu',
    'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
    'addr1w8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcyjy7wx',
    'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi',
  ],
  sui: ['0x02a212de6a9dfa3a69e22387acfbafbb1a9e591bd9d636e7895dcfc8de05f331'],
  aptos: ['0xeeff357ea5c1a4e7bc11b2b17ff2dc2dcca69750bfef1e1ebcaccf8c8018175b'],
};
