import { ProtoBuild } from './proto-build.js';
import { ProtoWatcher } from './proto-watcher.js';

/**
 * Runs `nest start --watch` and also watches the .proto files: when one is saved, the script `proto` of the app
 * rebuilds the descriptors and the types, and Nest, which watches the types, restarts the app.
 * A script of package.json has to run it, so that the programs are on the PATH.
 *
 * @param args arguments for `nest start`.
 * @returns the exit code of Nest.
 */
export async function dev(args: readonly string[]): Promise<number> {
  const build = new ProtoBuild();
  let watcher: ProtoWatcher;
  try {
    watcher = new ProtoWatcher('proto', build.ask);
  } catch (error) {
    process.stderr.write(
      `start: the folder proto cannot be watched; run this where package.json is: ${String(error)}\n`,
    );
    return 1;
  }
  const line = ['nest', 'start', '--watch', ...args].join(' ');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const nest = spawn(line, { stdio: 'inherit', shell: true });
  // A terminal sends Ctrl-C to Nest as well; a supervisor sends its signal to this process only.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => nest.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    nest.on('error', reject);
    nest.on('close', (code) => {
      build.cancel();
      watcher.close();
      resolve(code ?? 1);
    });
  });
}
