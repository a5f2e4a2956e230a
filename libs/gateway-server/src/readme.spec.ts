import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readPolicyFile } from './policies/policy-file.js';
import { loadSettings } from './settings/load-settings.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocksOf = (language: string): string[] =>
  [...readme.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(([, of, text = '']) =>
    of === language ? [text] : [],
  );

const folder = mkdtempSync(join(tmpdir(), 'apix-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The arguments of each command line of the README that runs the gateway. */
const COMMANDS = blocksOf('sh').flatMap((script) =>
  script
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => {
      const [, args] =
        /(?:npx (?:@apix\/gateway-server|apix-gateway)|docker run .* apix-gateway) (.*)$/.exec(
          line,
        ) ?? [];
      return args === undefined ? [] : [args.split(/ +/)];
    }),
);

describe('the README', () => {
  it('has commands, and a configuration file', () => {
    expect(COMMANDS.length).toBeGreaterThan(3);
    expect(blocksOf('yaml')).toHaveLength(2);
  });

  const [policies = '', yaml = ''] = blocksOf('yaml');
  it('has a file of policies that is taken', () => {
    const file = join(folder, 'policies.yaml');
    writeFileSync(file, policies);
    expect(readPolicyFile(file).map(({ tool, tools }) => tool?.name ?? tools?.prefix)).toEqual([
      'weather',
      'set_day',
    ]);
  });

  it.each(COMMANDS.map((args) => [args.join(' '), args] as const))(
    '"%s" is understood',
    (_line, args) => {
      const config = join(folder, 'gateway.yaml');
      writeFileSync(config, yaml);
      const there = args.map((it) => (it === 'gateway.yaml' ? config : it));
      expect(loadSettings(there).settings.backend).toMatch(/:50051$/);
    },
  );

  it('has a configuration file whose settings are all taken', () => {
    const config = join(folder, 'gateway.yaml');
    writeFileSync(config, yaml);
    const { settings } = loadSettings(['--config', config]);
    const given = yaml.match(/^[a-z][a-z-]*(?=:)/gm)!;
    expect(given.length).toBeGreaterThan(8);
    const set = Object.entries(settings).filter(([name]) => given.includes(name));
    expect(set).toHaveLength(given.length);
    for (const [, value] of set) expect(value === undefined || value === false).toBe(false);
  });

  it('names the same ways to end as the help', () => {
    for (const text of [readme, readFileSync(new URL('cli/usage.ts', import.meta.url), 'utf8')]) {
      expect(text.replaceAll('\n', ' ')).toMatch(
        /Exit codes: 0 stopped in order; 1 failed while it ran; 2 an option, a file or a rule is wrong/,
      );
    }
  });
});
