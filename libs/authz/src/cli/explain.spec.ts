import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVERY_POLICY, policySet } from '../policy-set.fixture.js';
import { explain } from './explain.js';

let folder: string;
let set: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apix-authz-explain-'));
  set = join(folder, 'shop.binpb');
  writeFileSync(set, policySet(EVERY_POLICY));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the caller, as a command prints it', () => {
  const asked = (...who: string[]) => explain([set, '/test.Orders/Compound', ...who]);

  it.each([
    [['--roles', 'admin'], 'roles admin'],
    [['--permissions', 'orders:read'], 'permissions orders:read'],
    [['--roles', 'a, b', '--permissions', 'c,,d'], 'roles a, b with permissions c, d'],
  ])('for %j is "%s"', (who, text) => {
    expect(asked(...who).text).toContain(`\n${text}: denied, PERMISSION_DENIED\n`);
  });

  it('comes with every list of the policy, passed or not', () => {
    expect(asked('--roles', 'admin,suspended', '--permissions', 'orders:read')).toEqual({
      code: 1,
      text: `/test.Orders/Compound: roles: any of admin and none of suspended; permissions: all of orders:read, orders:write
roles admin, suspended with permissions orders:read: denied, PERMISSION_DENIED
  + roles: any_of "admin" passes
  - roles: has "suspended", which is not allowed
  - permissions: lacks "orders:write"
`,
    });
  });
});
