import { expect, it } from '@jest/globals';
import { EXISTING_APP, NEW_APP, applied } from '../apps.fixture.js';
import { nestAdd } from '../nest-add.js';

function scriptsAfter(more: Readonly<Record<string, string>>): Record<string, string> {
  const { files } = applied(nestAdd({}), { ...NEW_APP, ...more });
  return (JSON.parse(files['package.json']!) as { scripts: Record<string, string> }).scripts;
}

const named = (manager: string): string =>
  NEW_APP['package.json']!.replace('{', `{"packageManager":"${manager}",`);

it.each([
  ['yarn', 'its settings', { 'yarn.lock': '', '.yarnrc.yml': '' }],
  ['yarn', 'its lock file', { 'yarn.lock': '__metadata:\n  version: 8\n' }],
  ['yarn', 'package.json', { 'package.json': named('yarn@4.5.0') }],
  ['pnpm', 'its lock file', { 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n" }],
  ['pnpm', 'package.json', { 'package.json': named('pnpm@8.15.9') }],
])('%s without `pre` scripts, known by %s, compiles in the scripts themselves', (name, _, app) => {
  const scripts = scriptsAfter(app);
  expect(scripts).toMatchObject({
    start: `${name} proto && nest start`,
    'start:dev': `${name} proto && apix-start dev`,
  });
  expect(scripts).not.toHaveProperty('prestart');
});

it.each([
  ['yarn', 'its lock file', { 'yarn.lock': '# yarn lockfile v1\n' }],
  ['yarn', 'package.json', { 'package.json': named('yarn@1.22.22') }],
  ['pnpm', 'its lock file', { 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" }],
  ['pnpm', 'package.json', { 'package.json': named('pnpm@10.1.0') }],
])('%s with `pre` scripts, known by %s, compiles there', (name, _, app) => {
  expect(scriptsAfter(app)).toMatchObject({ start: 'nest start', prestart: `${name} proto` });
});

it('every script of the CLI that loads what is generated has it compiled first', () => {
  const names = ['build', 'start:debug', 'test', 'test:watch', 'test:cov', 'test:debug'];
  const scripts = Object.fromEntries([...names, 'lint'].map((name) => [name, 'run']));
  const manifest = JSON.parse(NEW_APP['package.json']!) as object;
  const after = scriptsAfter({ 'package.json': JSON.stringify({ ...manifest, scripts }) });
  expect(Object.keys(after).filter((name) => name.startsWith('pre'))).toEqual(
    names.map((name) => `pre${name}`),
  );
});

it('an app without a lock file is installed by what package.json names', () => {
  const { 'pnpm-lock.yaml': _, ...app } = EXISTING_APP;
  const manifest = app['package.json']!.replace('{', '{"packageManager":"pnpm@10.1.0",');
  const { tasks } = applied(nestAdd({}), { ...app, 'package.json': manifest });
  expect(tasks).toMatchObject([{ options: { packageManager: 'pnpm' } }]);
});
