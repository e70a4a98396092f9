// shopTests.tsx imports this module. In a project with Jest, runners.test.ts replaces it with exports of @jest/globals.
export { expect, test } from 'vitest';
