import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { lookAround, step } from '../chromium.js';

/** What an operation of the demo is called with. */
interface Setting {
  readonly page: Page;
  /** The origin of the demo. */
  readonly http: string;
  readonly token: string;
}

/** The roles next to the locks, and the programs of an operation, each of which is copied and run. */
export async function testPrograms(setting: Setting): Promise<void> {
  const { page, http } = setting;
  await step(
    'each method of the gateway, and each hand-written route, says who may call it',
    async () => {
      const rows = page.locator('.opblock-summary').filter({ has: page.locator('.who-may-call') });
      const texts = await rows.allInnerTexts();
      assert.ok(
        texts.some((text) => /\/v1\/products\n[^]*public$/.test(text)),
        texts.join('\n'),
      );
      assert.ok(
        texts.some((text) => /:cancel\n[^]*roles: any of admin; permissions: all of/.test(text)),
      );
      assert.ok(texts.some((text) => /\/reports\/sales\n[^]*roles: any of admin$/.test(text)));
    },
  );
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: http });
  const operation = page.locator('[id="operations-Orders-Orders_Create"]');
  await operation.locator('.opblock-summary-control').click();
  const programs = operation.locator('.snippet-choice button');
  await programs.first().waitFor();
  await step('an operation has programs for each protocol', async () => {
    assert.deepEqual(await programs.allInnerTexts(), Object.keys(RUNS));
    await lookAround(page, 'programs');
  });
  for (const [name, run] of Object.entries(RUNS)) {
    const claim = run === undefined ? 'is copied' : 'works as it is copied';
    await step(`the program for ${name} ${claim}`, async () => {
      const program = await copied(operation, name);
      assert.ok(!program.includes(setting.token), 'a token was copied');
      assert.match(program, /products\/tea/);
      if (run !== undefined) assert.match(run(program, setting), /orders\/\w+/);
    });
  }
  await step('a program has what was entered', async () => {
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const body = operation.locator('textarea.body-param__text');
    const entered = { lines: [{ product: 'products/tea', quantity: 1 }], address: "Earl's Court" };
    await body.fill(JSON.stringify(entered));
    const program = await copied(operation, 'curl');
    assert.match(RUNS.curl(program, setting), /"address":"Earl's Court"/);
  });
  await operation.getByRole('button', { name: 'Cancel' }).click();
  await operation.locator('.opblock-summary-control').click();
}

/** How a program is run, by its name; there is no grpcurl here. It returns what the program prints. */
const RUNS = {
  curl: inShell,
  TypeScript: (code: string, { token, http }: Setting) => inNode(code, token, http),
  grpcurl: undefined,
  'Connect (curl)': inShell,
  'connect-web': (code: string, { token, http }: Setting) => inNode(code, token, http),
} as const;

function inShell(program: string, { http, token }: Setting): string {
  const env = { ...process.env, TOKEN: token, URL: http };
  return execFileSync('sh', ['-c', program], { env, encoding: 'utf8', stdio: 'pipe' });
}

/** In a module of the demo, which has the generated code at the place that the program imports. */
function inNode(program: string, token: string, origin: string): string {
  const given = { token, location: { origin } };
  const names = `const { token, location } = ${JSON.stringify(given)};`;
  const esbuild = join(process.cwd(), 'node_modules/.bin/esbuild');
  const options = ['--bundle', '--format=esm', '--platform=node', '--loader=ts'];
  const folder = join(process.cwd(), 'apps/demo/src');
  const input = `${names}\n${program}`;
  const code = execFileSync(esbuild, options, { cwd: folder, input, encoding: 'utf8' });
  return execFileSync(process.execPath, ['--input-type=module'], { input: code, encoding: 'utf8' });
}

async function copied(operation: Locator, name: string): Promise<string> {
  const group = operation.getByRole('group', { name: 'Code' });
  await group.getByRole('button', { name, exact: true }).click();
  await operation.getByRole('button', { name: 'Copy', exact: true }).click();
  await operation.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  return operation.page().evaluate('navigator.clipboard.readText()');
}
