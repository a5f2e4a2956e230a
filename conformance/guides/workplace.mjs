// A folder in which somebody follows a page: writes files, runs commands, starts an app.
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LIMIT_MS = 120_000;

export async function openWorkplace(registry) {
  const folder = await mkdtemp(join(tmpdir(), 'apix-guides-'));
  await writeFile(join(folder, '.npmrc'), `${registry.npmrc}audit=false\nfund=false\n`);
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' };
  const apps = [];

  const place = {
    folder,
    async write(path, text) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    },

    /** Lines of a shell as they stand; gives what they print. */
    async sh(script, variables = {}) {
      console.log(script.trimEnd().replaceAll(/^/gm, '    $ '));
      const options = { cwd: folder, env: { ...env, ...variables }, maxBuffer: 2 ** 26 };
      try {
        const { stdout } = await run('sh', ['-ec', script], options);
        return stdout;
      } catch (error) {
        throw new Error(`${script}\n${error.stdout}${error.stderr}`, { cause: error });
      }
    },

    /** The same where the page shows a command that fails. */
    async failing(script) {
      const error = await place.sh(script).then(
        () => new Error(`did not fail: ${script}`),
        ({ cause }) => cause,
      );
      if (typeof error.stdout !== 'string') throw error;
      return error.stdout;
    },

    /** Commands after `$ `, each with lines that its answer must have. */
    async dialogue(text, variables = {}) {
      const [, ...exchanges] = text.split(/^\$ /m);
      for (const exchange of exchanges) {
        const [command, ...wanted] = exchange.split('\n');
        const printed = await place.sh(command, variables);
        expectLines(printed.replaceAll('\r', ''), wanted.join('\n'));
      }
    },

    /** Starts what stays; it is up when it has said `ready`. */
    async start(command, ready) {
      const app = launched(command, folder, env);
      apps.push(app);
      console.log(`    $ ${command.trim()} &`);
      await app.said(ready);
      return app;
    },

    async leave() {
      for (const app of apps) app.kill();
      await Promise.all(apps.map(({ ended }) => ended));
      await rm(folder, { recursive: true });
    },
  };
  return place;
}

function launched(command, cwd, env) {
  const [file, ...args] = command.trim().split(' ');
  const child = spawn(file, args, { cwd, env });
  const streams = [child.stdout, child.stderr];
  /** The exit code, or the signal that ended it. */
  const ended = new Promise((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal)),
  );
  const app = {
    pid: child.pid,
    output: '',
    ended,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
    kill: () => child.kill('SIGKILL'),
    said: (wanted) =>
      new Promise((resolve, reject) => {
        const fail = (what) => reject(new Error(`${what}: ${wanted}\n${app.output}`));
        const giveUp = setTimeout(() => fail('not said in time'), LIMIT_MS);
        const look = () => {
          if (!app.output.includes(wanted)) return;
          clearTimeout(giveUp);
          resolve();
        };
        for (const stream of streams) stream.on('data', look);
        void ended.then(() => fail('ended without'));
        look();
      }),
  };
  for (const stream of streams) stream.on('data', (data) => (app.output += data));
  return app;
}

/** Every line is in the text, in whatever order; numbers of milliseconds are whatever they are. */
export function expectLines(actual, wanted) {
  const plain = (text) => text.replaceAll(/\d+ ms/g, 'n ms');
  const missing = wanted
    .split('\n')
    .filter((line) => line.trim() !== '')
    .filter((line) => !plain(actual).includes(plain(line.trim())));
  if (missing.length > 0) throw new Error(`wanted\n${missing.join('\n')}\ngot\n${actual}`);
}
