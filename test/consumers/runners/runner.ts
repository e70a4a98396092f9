// In a project with Jest, this module is replaced.
export { expect, test } from 'vitest';
