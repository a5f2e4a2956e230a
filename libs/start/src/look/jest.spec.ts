import { describe, expect, it } from '@jest/globals';
import { EXISTING_APP, applied } from '../apps.fixture.js';
import { nestAdd } from '../nest-add.js';

interface JestConfig {
  readonly transformIgnorePatterns?: readonly string[];
}

const ESM = '{"extensionsToTreatAsEsm":[".ts"]}';

function added(more: Readonly<Record<string, string>>) {
  const { 'pnpm-lock.yaml': _, ...app } = EXISTING_APP;
  const { files, said } = applied(nestAdd({}), { ...app, ...more });
  const { jest } = JSON.parse(files['package.json']!) as { jest: JestConfig };
  return { files, said, jest };
}

describe('an app that Jest tests as CommonJS', () => {
  const pattern = '/node_modules/(?!@apix/|jose/)';

  it('has the packages compiled, in unit tests and in end-to-end tests', () => {
    const { files, jest } = added({});
    expect(jest.transformIgnorePatterns).toEqual([pattern]);
    expect(files['test/jest-e2e.json']).toBe(
      EXISTING_APP['test/jest-e2e.json']!.replace(
        '  }\n}\n',
        `  },\n  "transformIgnorePatterns": ["${pattern}"]\n}\n`,
      ),
    );
  });

  it('finds them where pnpm puts them', () => {
    const { files } = applied(nestAdd({}), EXISTING_APP);
    const text = files['test/jest-e2e.json']!;
    const { transformIgnorePatterns = [] } = JSON.parse(text) as JestConfig;
    const ignored = new RegExp(transformIgnorePatterns[0]!);
    const store = '/shop/node_modules/.pnpm';
    expect(ignored.test(`${store}/@apix+authz@0.1.0/node_modules/@apix/authz/dist/index.js`)).toBe(
      false,
    );
    expect(ignored.test(`${store}/rxjs@7.8.1/node_modules/rxjs/index.js`)).toBe(true);
  });

  it.each([
    [
      'has such patterns of its own',
      { transform: { js: 'ts-jest' }, transformIgnorePatterns: ['x'] },
    ],
    ['compiles TypeScript alone', { transform: { '^.+\\.ts$': 'ts-jest' } }],
    ['names no transform', {}],
  ])('and %s is shown what to write', (_, config) => {
    const text = JSON.stringify(config);
    const { files, said } = added({ 'test/jest-e2e.json': text });
    expect(files['test/jest-e2e.json']).toBe(text);
    expect(said).toContain(
      '- test/jest-e2e.json: before Node 24.9 Jest has to compile the packages',
    );
    expect(said).toContain(`"transformIgnorePatterns": ["${pattern}"]`);
  });

  it.each([
    ['by a program', 'jest.config.js', 'module.exports = {};\n'],
    ['with comments', 'test/jest-e2e.json', '{\n  // as in src\n  "rootDir": "."\n}\n'],
  ])('and is configured %s is shown what to write', (_, path, text) => {
    const { files, said } = added({ [path]: text });
    expect(files[path]).toBe(text);
    expect(said).toContain(`- ${path}: before Node 24.9 Jest has to compile the packages`);
  });

  it.each(['--config ', '--config=', '-c '])(
    'at the place that a script names by %s is found',
    (by) => {
      const manifest = EXISTING_APP['package.json']!.replace(
        '--config ./test/jest-e2e',
        `${by}./apps/shop/e2e`,
      );
      const text = '{ "transform": { "^.+[.](t|j)s$": "ts-jest" } }';
      const { files } = added({ 'package.json': manifest, 'apps/shop/e2e.json': text });
      expect(JSON.parse(files['apps/shop/e2e.json']!)).toHaveProperty('transformIgnorePatterns');
    },
  );
});

describe('an app with ts-jest', () => {
  const SHOWN = '- package.json: before Node 24.9 Jest has to compile the packages, which ts-jest ';
  const installed = (version: string): Record<string, string> => ({
    'node_modules/ts-jest/package.json': JSON.stringify({ version }),
  });

  it('that leaves packages as they are is shown what to update', () => {
    expect(added(installed('29.2.5')).said).toContain(`${SHOWN}29.2.5 does not: update ts-jest`);
  });

  it.each([
    ['compiles packages', installed('29.4.0')],
    ['tests ES modules', { ...installed('29.2.5'), 'test/jest-e2e.json': ESM }],
    ['may compile .js files', { ...installed('29.2.5'), 'tsconfig.json': '{"allowJs": true}' }],
  ])('that %s is shown nothing', (_, files) => {
    expect(added(files).said).not.toContain(SHOWN);
  });
});

it('an app that Jest tests as ES modules needs nothing', () => {
  const { files, said } = added({ 'test/jest-e2e.json': ESM });
  expect(files['test/jest-e2e.json']).toBe(ESM);
  expect(said).not.toContain('jest-e2e.json: before');
});
