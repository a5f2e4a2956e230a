import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** As in a terminal of the app's own: nothing of this repository's npm settings reaches it. */
export const cleanEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) && !['NODE_OPTIONS', 'NODE_ENV', 'CI'].includes(name),
  ),
);

/** Runs commands as a page shows them, and gives back all that they print; fails with it too. */
export async function shell(folder, script, env = {}) {
  const options = { cwd: folder, env: { ...cleanEnv, NO_COLOR: '1', ...env }, maxBuffer: 2 ** 26 };
  try {
    const { stdout, stderr } = await run('sh', ['-ec', script], options);
    return stdout + stderr;
  } catch (error) {
    throw new Error(`$ ${script.trim()}\n${error.stdout}${error.stderr}`, { cause: error });
  }
}
