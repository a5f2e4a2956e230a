import { readFile, writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { filesOf } from '../existing-app/day.mjs';
import { freePort } from '../existing-app/redis.mjs';
import { call, same, shell, start } from './shell.mjs';

const QUIET = '--no-audit --no-fund --loglevel=error';

/**
 * Takes an app that a team has made of the one of the CLI through `nest add`: what it built, answered, logged and
 * tested before, it does after, and the log says what was left out.
 */
export async function takeExistingApp(app, { parent, npmrc }) {
  const folder = join(parent, 'shop');
  await shell(
    parent,
    `npx --yes @nestjs/cli@${app.cli} new shop --package-manager npm --skip-git --skip-install`,
  );
  await writeFile(join(folder, '.npmrc'), npmrc);
  await shell(folder, `npm install ${QUIET} ${app.packages.join(' ')}`);
  for (const command of app.commands ?? []) await shell(folder, command);
  for (const [path, text] of Object.entries(app.files)) await write(folder, app, path, text);
  console.log('as it is');
  const before = await tryOut(folder, app, app.logs[0]);

  const said = await shell(folder, `npx nest add @apix/start${app.options ?? ''}`);
  const list = said.slice(said.lastIndexOf('\n    added:'));
  for (const text of app.says) same(`the log says "${text}"`, list.includes(text), true, said);
  const module = await readFile(join(folder, app.root ?? 'src', 'apix.module.ts'), 'utf8');
  const added = [...module.matchAll(/^ {4}(\w+)Module\./gm)].map(([, name]) => name);
  same('what was added', added, app.adds, said);

  const files = [...(await filesOf(folder))];
  await shell(folder, `npx nest add @apix/start${app.options ?? ''}`);
  same('a second run changes no file', [...(await filesOf(folder))], files);
  const after = await tryOut(folder, app, app.logs[1]);
  same('what it answers', after, before);
}

async function write(folder, { cli }, path, text) {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  // Apps of Nest 11 are CommonJS, and import files without their extension.
  const own = cli === '11' ? text.replaceAll(/(from '\.[^']*)\.js'/g, "$1'") : text;
  await writeFile(file, own);
}

/** Builds the app, runs its tests, starts it, and gives back what it answers and how often it logs a request. */
async function tryOut(folder, { requests, calls = [], start: command = 'npm start' }, logged) {
  const [PORT, GRPC_PORT] = [String(await freePort()), String(await freePort())];
  for (const script of ['build', 'test', 'test:e2e']) await shell(folder, `npm run ${script}`);
  const app = start(folder, { PORT, GRPC_PORT }, ...command.split(' '));
  const url = `http://127.0.0.1:${PORT}`;
  try {
    await app.answers(url, 200);
    const answers = [];
    for (const [path, init] of requests) {
      const answer = await fetch(url + path, init);
      answers.push([path, answer.status, await answer.text()]);
    }
    for (const [method, text] of calls) answers.push(await call(folder, GRPC_PORT, method, text));
    // An app of Nest alone loses at its end what it has not written yet. The last line comes after all that the
    // request before it has.
    for (const path of ['/asked-once', '/asked-last']) {
      await fetch(url + path);
      if (logged > 0) await app.prints(path);
    }
    await app.stop();
    const lines = app
      .output()
      .split('\n')
      .filter((line) => line.includes('/asked-once'));
    same('lines of one request', lines.length, logged, app.output());
    return answers;
  } catch (error) {
    throw new Error(`${error.message}\n${app.output()}`, { cause: error });
  } finally {
    await app.kill();
  }
}
