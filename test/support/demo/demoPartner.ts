/**
 * The Premium Partner that the stories are. Its SecretKey signs nothing but these pages: a real one
 * stands on a server, and never in a page.
 */
export const demoPartner = {
  partnerId: 'DemonstrationPartner',
  secretKey: 'DemonstrationSecretKeyOfNoValue',
} as const;
