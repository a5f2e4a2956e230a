import { ProtoBuild } from './proto-build.js';
import { ProtoWatcher } from './proto-watcher.js';

/**
 * `nest start --watch`, and with it the .proto files: when one is saved, the script `proto` of the app
 * builds the descriptors and the types again, and Nest, which watches the latter, starts the app again.
 * Run by a script of package.json, which knows where the programs are.
 *
 * @param args for `nest start`.
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
  // The terminal sends Ctrl-C to Nest as well, and a supervisor its signal to this process alone.
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
