import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayCommand } from './gateway.js';
import type { Places } from './places.js';
import { type PythonSettings, PythonServer } from './python-server.js';

/** What a part of the test uses; all of it ends with the part. */
export class Bed {
  readonly #running: (() => unknown)[] = [];

  constructor(readonly places: Places) {}

  async python(settings?: PythonSettings): Promise<PythonServer> {
    const server = await PythonServer.start(this.places, settings);
    this.#running.push(() => server.kill());
    return server;
  }

  /** A gateway that serves, ready or not. */
  async gateway(args: readonly string[], env?: NodeJS.ProcessEnv) {
    const started = await GatewayCommand.serve(this.places, args, env);
    this.#running.push(() => started.command.kill());
    return started;
  }

  /** Ends with the part. */
  add(end: () => unknown): void {
    this.#running.push(end);
  }

  /** Writes a file of the test; returns its path. */
  file(name: string, content: string | Uint8Array): string {
    const path = join(this.places.folder, name);
    writeFileSync(path, content);
    return path;
  }

  async end(): Promise<void> {
    for (const end of this.#running.splice(0).toReversed()) await end();
  }
}
