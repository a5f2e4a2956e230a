import { readFileSync } from 'node:fs';
import { PROTO_SCRIPT } from '../app/proto-scripts.js';

/** The delay before a build, in milliseconds, because editors save in several steps. */
const SETTLED_MS = 100;

/** Runs the script `proto` of the app after .proto files were saved, one run at a time. */
export class ProtoBuild {
  #pending: NodeJS.Timeout | undefined;
  #isBuilding = false;

  /** Requests a build; it starts when there are no further changes for a moment and no build is running. */
  readonly ask = (): void => {
    clearTimeout(this.#pending);
    this.#pending = setTimeout(() => {
      if (this.#isBuilding) this.ask();
      else this.#build();
    }, SETTLED_MS);
  };

  cancel(): void {
    clearTimeout(this.#pending);
  }

  #build(): void {
    this.#isBuilding = true;
    process.stdout.write('start: a .proto file was saved; the descriptors are built again\n');
    const { spawn } = process.getBuiltinModule('node:child_process');
    spawn(protoScript(), { stdio: 'inherit', shell: true }).on('close', (code) => {
      this.#isBuilding = false;
      if (code === 0) return;
      process.stderr.write(
        'start: the descriptors could not be built; the app keeps the last ones\n',
      );
    });
  }
}

/** Reads the script each time, because it may have changed in the meantime. */
function protoScript(): string {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts?: Readonly<Record<string, string>>;
  };
  return scripts?.['proto'] ?? PROTO_SCRIPT;
}
