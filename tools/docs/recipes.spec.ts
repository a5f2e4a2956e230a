import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { runRecipe } from './recipe-program.js';
import { PLAIN_SHOP } from '../testing/plain-shop.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shop = PLAIN_SHOP;

describe('a recipe prints what its page says:', () => {
  it.each([
    'rate-limit',
    'tenancy',
    'roles-by-tenant',
    'audit-log',
    'file-upload',
    'long-running-operations',
  ])(
    '%s',
    async (name) => {
      const { printed, promised, exitCode } = await runRecipe(
        root,
        `docs/recipes/${name}.md`,
        shop,
      );
      expect(printed).toBe(promised);
      expect(exitCode).toBe(0);
    },
    120_000,
  );
});
