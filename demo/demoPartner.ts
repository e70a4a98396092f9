/**
 * The Premium Partner of the stories. Its SecretKey is in the page, because it protects nothing. A real SecretKey must
 * stay on a server.
 */
export const demoPartner = {
  partnerId: 'DemonstrationPartner',
  secretKey: 'DemonstrationSecretKeyOfNoValue',
} as const;
