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
  ['yarn', { 'yarn.lock': '', '.yarnrc.yml': '' }],
  ['yarn', { 'yarn.lock': '__metadata:\n  version: 8\n' }],
  ['yarn', { 'package.json': named('yarn@4.5.0') }],
  ['pnpm', { 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n" }],
  ['pnpm', { 'package.json': named('pnpm@8.15.9') }],
])('%s that runs no `pre` scripts runs the compiler in the scripts themselves: %j', (name, app) => {
  const scripts = scriptsAfter(app);
  expect(scripts).toMatchObject({
    start: `${name} proto && nest start`,
    'start:dev': `${name} proto && apix-start dev`,
  });
  expect(scripts).not.toHaveProperty('prestart');
});

it.each([
  ['yarn', { 'yarn.lock': '# yarn lockfile v1\n' }],
  ['yarn', { 'package.json': named('yarn@1.22.22') }],
  ['pnpm', { 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" }],
  ['pnpm', { 'package.json': named('pnpm@10.1.0') }],
])('%s that runs `pre` scripts runs it there: %j', (name, app) => {
  expect(scriptsAfter(app)).toMatchObject({ start: 'nest start', prestart: `${name} proto` });
});

it('an app without a lock file is installed by what package.json names', () => {
  const { 'pnpm-lock.yaml': _, ...app } = EXISTING_APP;
  const manifest = app['package.json']!.replace('{', '{"packageManager":"pnpm@10.1.0",');
  const { tasks } = applied(nestAdd({}), { ...app, 'package.json': manifest });
  expect(tasks).toMatchObject([{ options: { packageManager: 'pnpm' } }]);
});
