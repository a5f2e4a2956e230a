import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltPackage, builtPackage } from '../../../../tools/testing/built-package.js';
import { TRANSCODING } from '../fixtures/echo-server.fixture.js';

const home = fileURLToPath(new URL('../../', import.meta.url));
const set = fileURLToPath(TRANSCODING);
let built: BuiltPackage;

/** Where the command runs: a folder that knows nothing of this repository. */
const folder = mkdtempSync(join(tmpdir(), 'apix-openapi-'));

function run(...args: string[]) {
  const command = built.command('apix-openapi');
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {},
  });
  return { status, stdout, stderr };
}

describe('the command apix-openapi of the built package', () => {
  beforeAll(async () => {
    built = await builtPackage(home);
  }, 300_000);
  afterAll(() => {
    built.remove();
    rmSync(folder, { recursive: true });
  });

  it('is a program for node', () => {
    const text = readFileSync(built.command('apix-openapi'), 'utf8');
    expect(text.split('\n', 1)).toEqual(['#!/usr/bin/env node']);
  });

  it('writes the document to standard output, and nothing else', () => {
    const { status, stdout, stderr } = run(set, '--title', 'Echo');
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0', info: { title: 'Echo' } });
  });

  it('writes it to a file, and nothing to standard output', () => {
    expect(run(set, '-o', 'openapi.json')).toEqual({ status: 0, stdout: '', stderr: '' });
    const document = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as object;
    expect(document).toHaveProperty(['paths', '/v1/query']);
  });

  it('takes rules from a file', () => {
    const rules = [{ selector: 'transcoding.v1.EchoService.Hidden', get: '/v1/hidden' }];
    writeFileSync(join(folder, 'rules.json'), `// of the shop\n${JSON.stringify(rules)}`);
    const { status, stdout } = run(set, '--rules', 'rules.json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty(['paths', '/v1/hidden', 'get']);
  });

  it('explains every option', () => {
    const { status, stdout, stderr } = run('--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.match(/--[a-z-]+/g)).toEqual([
      '--out',
      '--title',
      '--api-version',
      '--server',
      '--prefix',
      '--rules',
      '--exclude',
      '--proto-names',
      '--status-errors',
      '--help',
    ]);
  });

  it.each([
    ['no descriptors', [], 'no descriptor set is given: name one, such as gen/shop.binpb'],
    ['a file that is not there', ['gen/shop.binpb'], 'gen/shop.binpb does not exist'],
    ['a file of another kind', [join(home, 'package.json')], 'is not a binary FileDescriptorSet'],
    ['an option that it does not have', [set, '--nope'], "Unknown option '--nope'"],
    ['rules that are not there', [set, '--rules', 'no.json'], 'cannot read no.json'],
    [
      'rules that are no list',
      [set, '--rules', join(home, 'package.json')],
      'is not a list of rules',
    ],
    ['a folder that is not there', [set, '-o', 'no/api.json'], 'cannot write no/api.json'],
  ])('ends with 2 and one line about %s', (_what, args, message) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^apix-openapi: .*\n$/);
    expect(stderr).toContain(message);
  });
});
