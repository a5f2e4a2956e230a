import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeBlocksOf } from './code-blocks.js';
import { Newcomer } from './newcomer.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Needs a registry, root, systemd or Windows; `conformance:*` has what can be had of them. */
const NOT_HERE = /^(?:npm install|sudo |systemd-|sc\.exe|node dist\\|Get-WinEvent)/;

function blocksOf(page: string, ...languages: string[]): string[] {
  return codeBlocksOf(root, page)
    .filter(({ language }) => languages.includes(language))
    .map(({ code }) => code);
}

/** The commands of a guide, block by block, that need nothing which is not here. */
function scriptsOf(guide: string): string[] {
  return blocksOf(`docs/guides/${guide}`, 'sh', 'powershell').filter(
    (script) => !NOT_HERE.test(script),
  );
}

/** A proto file around what a page shows of it. */
function protoOf(page: string): string {
  const [block] = codeBlocksOf(root, page).filter(({ language }) => language === 'proto');
  const { code, given } = block!;
  const head = 'syntax = "proto3";\npackage shop.v1;\n';
  return code.includes('syntax =') ? code : `${head}${code}${given}`;
}

describe('the guides, followed from an empty folder', () => {
  let newcomer: Newcomer;
  beforeAll(async () => {
    newcomer = await Newcomer.at(root);
  });
  afterAll(() => newcomer.leave());

  it('add-authz.md, then testing-policies.md, do what they print', () => {
    const [buf] = blocksOf('docs/guides/add-authz.md', 'yaml');
    const [report] = blocksOf('docs/guides/add-authz.md', 'text');
    const [table] = blocksOf('docs/guides/testing-policies.md', 'yaml');
    const [allIsWell, , , difference, explained] = blocksOf(
      'docs/guides/testing-policies.md',
      'text',
    );
    const proto = protoOf('docs/guides/add-authz.md');
    newcomer.write('proto/shop/v1/orders.proto', proto);
    newcomer.write('buf.yaml', buf!);
    newcomer.write('policies.yaml', table!);

    const [build] = scriptsOf('add-authz.md');
    expect(newcomer.run(build!)).toMatchObject({ status: 0, out: report });

    const [check, diff, explain] = scriptsOf('testing-policies.md');
    expect(newcomer.run(check!)).toMatchObject({ status: 0, out: allIsWell });
    // As for every decision that is a denial.
    expect(newcomer.run(explain!)).toMatchObject({ status: 1, out: explained });
    newcomer.run('mv gen/shop.binpb old.binpb');
    const changed = proto.replace('["staff"]', '["staff", "support"]').replace(/perm.*\n/, '');
    newcomer.write('proto/shop/v1/orders.proto', changed);
    newcomer.run(build!);
    expect(newcomer.run(diff!)).toMatchObject({ status: 1, out: difference });
  });

  it('gateway-in-front.md builds the descriptors and the document of its rules', async () => {
    const other = await Newcomer.at(root);
    try {
      other.write('proto/shop/v1/orders.proto', protoOf('docs/guides/gateway-in-front.md'));
      const [buf] = blocksOf('docs/getting-started.md', 'yaml');
      other.write('buf.yaml', buf!);
      for (const script of scriptsOf('gateway-in-front.md')) {
        expect(other.run(script)).toMatchObject({ status: 0 });
      }
      const { paths } = JSON.parse(other.read('openapi.json')) as { readonly paths: object };
      expect(Object.keys(paths)).toEqual(['/v1/orders/{id}']);
    } finally {
      await other.leave();
    }
  });
});
