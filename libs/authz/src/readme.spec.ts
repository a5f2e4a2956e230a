import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create, fromBinary, setExtension, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { RequirementSchema, requires } from './gen/apix/authz/authz_pb.js';
import { authzCommand } from './cli/authz-command.js';
import { program } from '../../../tools/testing/program.js';

const run = promisify(execFile);
const here = new URL('.', import.meta.url);
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The README's blocks of a language. */
async function blocks(language: string): Promise<string[]> {
  const readme = await readFile(new URL('../README.md', here), 'utf8');
  const fenced = readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'));
  return [...fenced].map(([, code]) => code!);
}

/** The set with another permission for `Cancel`. */
function withPermission(bytes: Uint8Array, permission: string): Uint8Array {
  const set = fromBinary(FileDescriptorSetSchema, bytes);
  const methods = set.file.flatMap(({ service }) => service).flatMap(({ method }) => method);
  const { options } = methods.find(({ name }) => name === 'Cancel')!;
  const rules = { roles: { anyOf: ['admin'] }, permissions: { allOf: [permission] } };
  setExtension(options!, requires, create(RequirementSchema, rules));
  return toBinary(FileDescriptorSetSchema, set);
}

describe('the README', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'apix-authz-'));
    await mkdir(join(folder, 'proto/shop/v1'), { recursive: true });
    const [proto] = await blocks('proto');
    const [buf] = await blocks('yaml');
    await writeFile(join(folder, 'proto/shop/v1/orders.proto'), proto!);
    await writeFile(join(folder, 'buf.yaml'), buf!);
    // As npm installs it: the annotations of the package, and buf itself.
    const installed = join(folder, 'node_modules/@apix/authz/proto');
    await cp(fileURLToPath(new URL('../proto', here)), installed, { recursive: true });
    await symlink(join(root, 'node_modules/.bin'), join(folder, 'node_modules/.bin'));
    await run('sh', ['-c', (await blocks('sh'))[1]!], { cwd: folder });
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['guards a server without Nest', 3, 0],
    ['tests a policy', 5, '7\n'],
    ['explains a decision', 6, 1],
  ])('%s', async (_name, index, printed) => {
    const code = (await blocks('ts'))[index]!.replaceAll("'gen/", `'${folder}/gen/`);
    const app = await program({ code, folder: here });
    try {
      const { out, code: status } = await app.run().ended;
      const wanted = typeof printed === 'number' ? (await blocks('text'))[printed] : printed;
      expect([status, out]).toEqual([0, wanted]);
    } finally {
      await app.remove();
    }
  });

  it('reports the policies, and they pass its table of cases', async () => {
    const set = join(folder, 'gen/shop.binpb');
    const cases = (await blocks('yaml'))[1]!;
    let said = '';
    const print = (text: string): void => void (said += text);
    const io = { print, complain: print, read: () => cases };
    expect([authzCommand(['report', set], io), said]).toEqual([0, (await blocks('text'))[2]]);
    expect([authzCommand(['check', set, '--cases', 'policies.yaml'], io), said]).toEqual([
      0,
      expect.stringContaining('5 cases of policies.yaml: no findings'),
    ]);
    said = '';
    const next = join(folder, 'gen/next.binpb');
    await writeFile(next, withPermission(await readFile(set), 'orders:cancel'));
    expect(authzCommand(['diff', set, next, '--cases', 'policies.yaml'], io)).toBe(0);
    expect(said).toContain((await blocks('text'))[3]);
  });
});
