import { readFileSync, watch } from 'node:fs';
import { PROTO_SCRIPT } from '../app/manifest.js';

/** Editors save in several steps. */
const SETTLED_MS = 100;

/**
 * `nest start --watch`, and with it the .proto files: when one is saved, the script `proto` of the app
 * builds the descriptors and the types again, and Nest, which watches the latter, starts the app again.
 * Run by a script of package.json, which knows where the programs are.
 *
 * @param args for `nest start`.
 * @returns the exit code of Nest.
 */
export async function dev(args: readonly string[]): Promise<number> {
  const line = ['nest', 'start', '--watch', ...args].join(' ');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const nest = spawn(line, { stdio: 'inherit', shell: true });
  const watcher = watchProtos();
  // The terminal sends Ctrl-C to Nest as well, and a supervisor its signal to this process alone.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => nest.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    nest.on('error', reject);
    nest.on('close', (code) => {
      watcher.close();
      resolve(code ?? 1);
    });
  });
}

function watchProtos(): { close(): void } {
  let pending: NodeJS.Timeout | undefined;
  let isBuilding = false;
  const watcher = watch('proto', { recursive: true }, (_, file) => {
    if (file !== null && !file.endsWith('.proto')) return;
    clearTimeout(pending);
    pending = setTimeout(build, SETTLED_MS);
  });
  function build(): void {
    if (isBuilding) {
      pending = setTimeout(build, SETTLED_MS);
      return;
    }
    isBuilding = true;
    process.stdout.write('start: a .proto file was saved; the descriptors are built again\n');
    const { spawn } = process.getBuiltinModule('node:child_process');
    const run = spawn(protoScript(), { stdio: 'inherit', shell: true });
    run.on('close', (code) => {
      isBuilding = false;
      if (code === 0) return;
      process.stderr.write(
        'start: the descriptors could not be built; the app keeps the last ones\n',
      );
    });
  }
  return {
    close: () => {
      clearTimeout(pending);
      watcher.close();
    },
  };
}

/** Read each time, since it may have been changed meanwhile. */
function protoScript(): string {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts?: Readonly<Record<string, string>>;
  };
  return scripts?.['proto'] ?? PROTO_SCRIPT;
}
