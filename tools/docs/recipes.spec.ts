import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { runRecipe } from './recipe-program.js';
import { PLAIN_SHOP } from '../testing/plain-shop.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shop = PLAIN_SHOP;

async function expectAsPrinted(page: string): Promise<void> {
  const { printed, promised, exitCode } = await runRecipe(root, page, shop);
  expect(printed).toBe(promised);
  expect(exitCode).toBe(0);
}

describe('a recipe prints what its page says:', () => {
  it.each([
    'rate-limit',
    'tenancy',
    'roles-by-tenant',
    'audit-log',
    'file-upload',
    'long-running-operations',
  ])('%s', (name) => expectAsPrinted(`docs/recipes/${name}.md`), 120_000);
});

it(
  'the guide on agents prints what it says, as a recipe',
  () => expectAsPrinted('docs/guides/agents.md'),
  120_000,
);
