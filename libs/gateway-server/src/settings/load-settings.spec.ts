import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { usage } from '../cli/usage.js';
import { loadSettings } from './load-settings.js';
import { SETTINGS } from './setting-table.js';

const folder = mkdtempSync(join(tmpdir(), 'apix-gateway-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string, name = 'gateway.yaml'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const BACKEND = ['--backend', 'shop:50051'];

describe('settings', () => {
  it('come from the command line, which goes before the file', () => {
    const config = file('backend: file:1\nlisten: 9000\ncompress: true\ndescriptors: [a, b]\n');
    const { settings } = loadSettings(['-c', config, ...BACKEND, '--max-body-bytes', '10']);
    expect(settings).toMatchObject({
      backend: 'shop:50051',
      listen: '9000',
      compress: true,
      descriptors: ['a', 'b'],
      'max-body-bytes': 10,
      http2: false,
    });
  });

  it('come from a file of JSON, which may have comments', () => {
    const text = '{ "backend": "file:1", // ours\n  "listen": 9000 }';
    const { settings } = loadSettings(['-c', file(text, 'gateway.json')]);
    expect(settings).toMatchObject({ backend: 'file:1', listen: '9000' });
  });

  it.each([
    ['{\n"listen": 1,\n"listen": 2}', 'gateway.json:3: "listen" is already set in line 2'],
    ['{\nlisten: 1}', 'gateway.json:2: a name in double quotes is expected'],
  ])('come from no file that is called JSON and is not: %j', (text, message) => {
    const config = file(text, 'gateway.json');
    expect(() => loadSettings(['-c', config, ...BACKEND])).toThrow(message);
  });

  it.each<[string, string[], string]>([
    ['names with commas', ['--protocols', 'rest,connect, grpc-web'], ''],
    ['several options', ['--protocols', 'rest', '--protocols', 'connect,grpc-web'], ''],
    ['a list of a file', [], 'protocols: [rest, connect, grpc-web]'],
    ['a text of a file', [], 'protocols: rest, connect, grpc-web'],
  ])('take protocols as %s', (_what, args, yaml) => {
    const { settings } = loadSettings(['-c', file(yaml), ...BACKEND, ...args]);
    expect(settings.protocols).toEqual(['rest', 'connect', 'grpc-web']);
  });

  it.each<[string, string[], string, string | undefined]>([
    ['without a value', ['--mcp'], '', '/mcp'],
    ['without a value, before an option', ['--mcp', '--http2'], '', '/mcp'],
    ['with a value', ['--mcp', '/tools'], '', '/tools'],
    ['with a value after =', ['--mcp=/tools'], '', '/tools'],
    ['true in a file', [], 'mcp: true', '/mcp'],
    ['false in a file', [], 'mcp: false', undefined],
    ['a text in a file', [], 'mcp: /tools', '/tools'],
  ])('take the path of tools %s', (_what, args, yaml, path) => {
    const list = path === undefined ? '' : '\nmcp-list: all';
    const config = file(yaml + list);
    expect(loadSettings(['-c', config, ...BACKEND, ...args]).settings.mcp).toBe(path);
  });

  it('are all in the help', () => {
    for (const name of Object.keys(SETTINGS)) expect(usage()).toContain(`  --${name}`);
  });

  it.each<[string, string[], string]>([
    ['no server', [], 'backend: is missing'],
    [
      'a misspelt option',
      ['--backand', 'x'],
      '--backand is not an option: did you mean --backend?',
    ],
    ['a word of its own', [...BACKEND, 'x'], '"x" is not an option: options start with --'],
    ['an option without its value', ['--backend'], '--backend: needs a value'],
    ['a flag with a value', [...BACKEND, '--http2=1'], '--http2: takes no value'],
    ['an option given twice', [...BACKEND, '--backend', 'y'], '--backend: is given twice'],
    [
      'a duration that is none',
      [...BACKEND, '--timeout', 'soon'],
      '--timeout: "soon" is not a valid',
    ],
    ['a port that is none', [...BACKEND, '--listen', '99999'], 'listen: "99999" is not a port'],
    [
      'half a certificate',
      [...BACKEND, '--tls-cert', 'a'],
      'tls-cert: requires tls-key to be set as well',
    ],
    ['keys for nobody', [...BACKEND, '--jwks', 'a'], 'jwks: requires issuer to be set as well'],
    [
      'a path that is none',
      [...BACKEND, '--docs', 'docs'],
      'docs: must be a path that starts with',
    ],
    ['an origin with a path', [...BACKEND, '--cors-origin', 'https://a/'], 'is not an origin'],
    [
      'every page with credentials',
      [...BACKEND, '--cors-origin', '*', '--cors-credentials'],
      '* cannot go with cors-credentials',
    ],
    ['a file that is not there', ['--config', 'no.yaml'], 'cannot read no.yaml'],
    [
      'a protocol that there is not',
      [...BACKEND, '--protocols', 'rest,connnect'],
      '--protocols: must be one of "rest", "connect", "grpc-web", "grpc", not "connnect"',
    ],
    [
      'gRPC without HTTP/2',
      [...BACKEND, '--protocols', 'rest,grpc'],
      'protocols: grpc requires http2 to be set as well',
    ],
    [
      'rules that no protocol has',
      [...BACKEND, '--protocols', 'connect', '--rules', 'rules.yaml'],
      'rules: requires rest among the protocols',
    ],
    [
      'a path for two protocols',
      [...BACKEND, '--protocols', 'rest,grpc-web,connect', '--unbound'],
      'unbound: cannot go with grpc-web, connect, which has the path /<package>.<Service>/<Method>',
    ],
    ['tools at no path', [...BACKEND, '--mcp', 'tools'], '"tools" is not an option'],
    [
      'tools that are not served',
      [...BACKEND, '--mcp-tool', 'a.B.C'],
      'mcp-tool: requires mcp to be set as well',
    ],
    ['a refresh without end', [...BACKEND, '--refresh', '1ms'], 'refresh: must be at least 1s'],
  ])('%s is a mistake that says what to do', (_what, args, message) => {
    expect(() => loadSettings(args)).toThrow(message);
  });

  it.each([
    ['a misspelt setting', 'backand: x', 'backand: is not a setting: did you mean backend?'],
    ['a list', '- a', 'must be settings by their names'],
    ['text', 'nothing', 'must be settings by their names'],
    ['broken YAML', 'backend: [', 'gateway.yaml: '],
    ['a value of another kind', 'listen: {a: 1}', 'gateway.yaml: listen: must be a non-empty'],
    ['a prototype', '__proto__: {backend: x}', '__proto__: is not a setting'],
    [
      'references that grow without end',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]`,
      'Excessive alias count',
    ],
  ])('a file with %s is refused with its name', (_what, text, message) => {
    expect(() => loadSettings(['-c', file(text), ...BACKEND])).toThrow(message);
  });
});
