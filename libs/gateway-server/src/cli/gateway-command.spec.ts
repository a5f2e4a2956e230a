import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { CERTIFICATE } from '../../../../tools/testing/certificate.js';
import { gatewayCommand } from './gateway-command.js';

const SHOP = fileURLToPath(new URL('../../../../apps/demo/gen/shop.binpb', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'apix-gateway-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Runs the command, which must not serve. */
async function run(...args: string[]) {
  const printed = { out: '', err: '' };
  const code = await gatewayCommand(args, {
    version: '1.2.3',
    print: (text) => void (printed.out += text),
    complain: (text) => void (printed.err += text),
  });
  return { code, ...printed };
}

const LOCAL = ['--backend', 'localhost:1', '--descriptors', SHOP];

describe('the command', () => {
  it('prints its version and its help with exit code 0', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' });
    const { code, out } = await run('--help');
    expect([code, out.split('\n')[0]]).toEqual([0, 'apix-gateway --backend <host:port> [options]']);
  });

  it('checks a set without calling the server', async () => {
    const { code, out, err } = await run(...LOCAL, '--check');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^GET +\/v1\/\{name=products\/\*\} +\/shop\.v1\.Catalog\/Get$/m);
  });

  it('says which methods other protocols serve', async () => {
    const protocols = ['--protocols', 'connect,grpc-web', '--exclude', 'shop.v1.Orders.*'];
    const { code, out } = await run(...LOCAL, ...protocols, '--check');
    expect(code).toBe(0);
    expect(out).toMatch(/^connect, grpc-web {2}\/shop\.v1\.Catalog\/Get$/m);
    expect(out).not.toMatch(/Orders|GET/);
  });

  it('says with exit code 3 that a server cannot be asked', async () => {
    const { code, err } = await run('--backend', '127.0.0.1:1', '--check');
    expect(code).toBe(3);
    expect(err).toMatch(/^gateway-server: .*127\.0\.0\.1:1/);
  });

  it.each([[[]], [LOCAL.slice(2)]])(
    'says everything that is wrong with settings and files at once, with a set or without',
    async (set) => {
      const tls = ['--tls-cert', file('cert.pem', CERTIFICATE), '--tls-key', 'no.key'];
      const tokens = ['--jwks', 'no-keys.json', '--issuer', 'a', '--audience', 'b'];
      const requests = ['--mount', 'v1', '--forward-header', 'grpc-timeout'];
      const files = ['--backend-ca', 'no-ca.pem', '--rules', 'no-rules.yaml', ...set];
      const proxies = ['--trust-proxy', 'nobody'];
      const all = [tls, tokens, requests, files, proxies].flat();
      const { code, out, err } = await run('--backend', 'localhost:1', ...all);
      expect([code, out]).toEqual([2, '']);
      const mistakes = [
        'tls-key: ',
        'backend-ca: ',
        'jwks: cannot read keys from no-keys.json',
        'mount: "v1" is not a path',
        'forward-header: "grpc-timeout" is not a header that can be passed on',
        'trust-proxy: ',
        'cannot read no-rules.yaml',
      ];
      for (const mistake of mistakes) expect(err).toContain(`\n  ${mistake}`);
    },
  );

  it.each([
    ['a set that is none', ['--descriptors', 'wrong.binpb'], 'wrong.binpb'],
    ['a set that is not there', ['--descriptors', 'no.binpb'], 'cannot read no.binpb'],
    ['a level that there is not', ['--log-level', 'loud'], '--log-level: must be one of'],
    [
      'a rule for nothing',
      ['--descriptors', SHOP, '--rules', 'rules.yaml'],
      'no method "shop.v1.Catalog.Sell"',
    ],
  ])('ends with exit code 2 and without a stack for %s', async (_what, args, said) => {
    file('wrong.binpb', 'nothing');
    file('rules.yaml', '[{"selector":"shop.v1.Catalog.Sell","get":"/v1/sell"}]');
    const there = args.map((it) => (/^(?:wrong|rules)\./.test(it) ? join(folder, it) : it));
    const { code, err } = await run('--backend', 'localhost:1', ...there);
    expect(code).toBe(2);
    expect(err).toContain(said);
    expect(err).not.toMatch(/^ +at /m);
  });
});
