import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { TRANSCODING } from '../fixtures/echo-server.fixture.js';
import { openapiCommand } from './openapi-command.js';

function run(...args: string[]) {
  const seen = { files: new Map<string, string>(), out: '', err: '' };
  const code = openapiCommand(args, {
    write: (file, text) => seen.files.set(file, text),
    print: (text) => (seen.out += text),
    complain: (text) => (seen.err += text),
  });
  return { code, ...seen };
}

const documentOf = (...args: string[]): unknown => JSON.parse(run(set, ...args).out);

const set = fileURLToPath(TRANSCODING);

describe('apix-openapi', () => {
  it('prints the document of a descriptor set', () => {
    const { code, out } = run(set, '--title', 'Echo', '--api-version', '1', '--prefix', '/api/');
    expect(code).toBe(0);
    const document = JSON.parse(out) as { openapi: string; info: unknown; paths: object };
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Echo', version: '1' } });
    expect(document.paths).toHaveProperty(['/api/v1/query']);
  });

  it('leaves out what --exclude names', () => {
    const all = Object.keys((documentOf() as { paths: object }).paths);
    const { code, out } = run(set, '--exclude', 'transcoding.v1.EchoService.Query');
    const left = Object.keys((JSON.parse(out) as { paths: object }).paths);
    expect([code, all.includes('/v1/query'), left.includes('/v1/query')]).toEqual([0, true, false]);
    expect(run(set, '--exclude', 'transcoding.v1.EchoService.Qery').err).toContain('no method');
  });

  it('writes it to a file, the same each time', () => {
    const first = run(set, '-o', 'api.json', '--server', 'https://a').files.get('api.json');
    expect(JSON.parse(first ?? '')).toMatchObject({ servers: [{ url: 'https://a' }] });
    expect(run(set, '-o', 'api.json', '--server', 'https://a').files.get('api.json')).toBe(first);
  });

  it.each([
    [[], 'choiceStr'],
    [['--proto-names'], 'choice_str'],
  ])('names fields as the gateway does with the same option: %j', (options, name) => {
    expect(documentOf(...options)).toHaveProperty([
      'components',
      'schemas',
      'transcoding.v1.Everything',
      'properties',
      name,
    ]);
  });

  it.each([
    [[], 'application/problem+json'],
    [['--status-errors'], 'application/json'],
  ])('describes errors as the gateway sends them with the same option: %j', (options, type) => {
    expect(documentOf(...options)).toHaveProperty([
      'paths',
      '/v1/query',
      'get',
      'responses',
      'default',
      'content',
      type,
    ]);
  });

  it.each([
    [[], 'no descriptor set is given'],
    [['nowhere.binpb'], 'nowhere.binpb'],
    [[set, '--nope'], '--nope'],
  ])('fails for %j and says why', (args, message) => {
    const { code, err } = run(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('explains itself', () => {
    expect(run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('--prefix') });
  });
});
