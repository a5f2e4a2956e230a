import { expect, it } from '@jest/globals';
import { EXISTING_APP, NEW_APP, applied } from '../apps.fixture.js';
import { nestAdd } from '../nest-add.js';

function scriptsAfter(more: Readonly<Record<string, string>>): Record<string, string> {
  const { files } = applied(nestAdd({}), { ...NEW_APP, ...more });
  return (JSON.parse(files['package.json']!) as { scripts: Record<string, string> }).scripts;
}

it.each([
  ['.yarnrc.yml', ''],
  ['package.json', NEW_APP['package.json']!.replace('{', '{"packageManager":"yarn@4.5.0",')],
])('yarn 2 and later, known by %s, runs the compiler in the scripts themselves', (path, text) => {
  const scripts = scriptsAfter({ 'yarn.lock': '', [path]: text });
  expect(scripts).toMatchObject({
    start: 'yarn proto && nest start',
    'start:dev': 'yarn proto && apix-start dev',
  });
  expect(scripts).not.toHaveProperty('prestart');
});

it('yarn 1 runs it before them', () => {
  expect(scriptsAfter({ 'yarn.lock': '' })).toMatchObject({
    start: 'nest start',
    prestart: 'yarn proto',
  });
});

it('an app without a lock file is installed by what package.json names', () => {
  const { 'pnpm-lock.yaml': _, ...app } = EXISTING_APP;
  const manifest = app['package.json']!.replace('{', '{"packageManager":"pnpm@10.1.0",');
  const { tasks } = applied(nestAdd({}), { ...app, 'package.json': manifest });
  expect(tasks).toMatchObject([{ options: { packageManager: 'pnpm' } }]);
});
