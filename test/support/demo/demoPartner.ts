/**
 * The Premium Partner of the stories. Its SecretKey is only for these pages: a real SecretKey must stay on a server.
 */
export const demoPartner = {
  partnerId: 'DemonstrationPartner',
  secretKey: 'DemonstrationSecretKeyOfNoValue',
} as const;
