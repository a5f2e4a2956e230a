import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NEW_APP, applied } from '../apps.fixture.js';
import { service } from '../service.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const SERVICES = (
  'Object Promise Observable Error String Symbol Function Date Request Record Partial Uint8Array Code StatusError ' +
  'GrpcService MessageShape Controller Foo_Bar OrderSchema _ URLs async type class default import static ' +
  'string globalThis constructor then toString never'
).split(' ');

const METHODS = [
  ...Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__'),
  ...Object.getOwnPropertyNames(Function.prototype).filter((name) => /^\w+$/.test(name)),
  ...(
    'Then Catch Finally ThenRpc OnModuleInit OnModuleDestroy OnApplicationBootstrap BeforeApplicationShutdown ' +
    'OnApplicationShutdown Get set Static async Await declare readonly abstract new Delete Import Class default ' +
    'Public private protected override accessor Yield typeof This super null True void prototype ToJSON name_ ' +
    '_x X1 URL Promise Object Observable Code Error Input Output undefined eval rpc service stream message'
  ).split(' '),
];

/** Distinct but for the first letter, as a .proto file may have them. */
const distinct = (names: readonly string[]): string[] =>
  names.filter((name, i) => {
    const same = (other: string) => other.toLowerCase() === name.toLowerCase();
    return names.findIndex(same) === i;
  });

const RANDOM = fc
  .sample(fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_]{0,8}$/), 60)
  .filter((name) => /^\w+$/.test(name));

function protoOf(name: string, methods: readonly string[], scope: string): string {
  const rpcs = methods.map(
    (method, i) =>
      `rpc ${method}(${i % 2 === 0 ? '' : 'stream '}.${scope}.A) returns (.${scope}.A);`,
  );
  return `syntax = "proto3";
package ${scope};
message A {}
message Foo { message Bar {} enum Baz { ZERO = 0; } }
message Order_Schema {}
message Order { message Line {} }
service ${name} {
  ${rpcs.join('\n  ')}
}
`;
}

let folder: string;
let mistakes: string;

beforeAll(() => {
  // Where the compiler finds the packages, and no other test a source.
  folder = mkdtempSync(join(root, 'node_modules', '.apix-names-'));
  write('package.json', '{"type": "module"}');
  write('buf.yaml', 'version: v2\nmodules:\n  - path: proto\n');
  const services: [name: string, methods: readonly string[]][] = [
    ...SERVICES.map((name): [string, string[]] => [name, ['Get']]),
    ['Methods', distinct(METHODS)],
    ['Random', distinct(RANDOM)],
    ...distinct(RANDOM)
      .slice(0, 5)
      .map((name): [string, string[]] => [`R${name}`, ['Get']]),
  ];
  services.forEach(([name, methods], i) => {
    const proto = protoOf(name, methods, `p${i}`);
    write(`proto/p${i}/a.proto`, proto);
    const file = `proto/p${i}/a.proto`;
    const { files } = applied(service({ name: file }), { ...NEW_APP, [file]: proto });
    for (const [path, text] of Object.entries(files)) {
      if (path.startsWith(`src/p${i}/`)) write(path, text);
    }
  });
  generate();
  mistakes = check();
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function generate(): void {
  const plugin = { local: join(root, 'node_modules/.bin/protoc-gen-es'), out: 'src/gen' };
  const options = { ...plugin, opt: ['target=ts', 'import_extension=js'] };
  const template = JSON.stringify({ version: 'v2', plugins: [options] });
  const buf = join(root, 'node_modules/.bin/buf');
  execFileSync(buf, ['generate', 'proto', '--template', template], { cwd: folder });
}

/** What the compiler says, which is that of `npm run typecheck`: TypeScript 7 takes seconds for this. */
function check(): string {
  const config = { extends: '../../tsconfig.json', include: ['src'], exclude: [] };
  write('tsconfig.json', JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', folder], {
    encoding: 'utf8',
  });
  return stdout;
}

describe('a generated controller', () => {
  it('compiles, whatever its service and methods are called', () => {
    expect(mistakes).toBe('');
  });
});
