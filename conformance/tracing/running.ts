import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { LoggedLine } from './render.js';

/** One process of an app. */
export class Running {
  readonly lines: LoggedLine[] = [];
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown[]>;
  readonly #ready: Promise<void>;
  #errors = '';

  constructor(folder: string, service: string, env: Readonly<Record<string, string>>) {
    const path = { PATH: process.env['PATH'] ?? '' };
    this.#child = spawn(process.execPath, [join(folder, `${service}.js`)], {
      env: { ...path, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exit = once(this.#child, 'exit');
    this.#child.stderr!.on('data', (data: Buffer) => (this.#errors += data.toString()));
    this.#ready = new Promise((resolve, reject) => {
      createInterface({ input: this.#child.stdout! }).on('line', (line) => {
        if (line === 'ready') resolve();
        else this.#take(service, line);
      });
      void this.#exit.then(() => reject(new Error(`${service} ended\n${this.#errors}`)));
    });
    this.#ready.catch(() => {});
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  /** Resolves with how it ended: the exit code or the signal, and what it said of a failure. */
  async stop(): Promise<string> {
    this.#child.kill('SIGTERM');
    const [code, signal] = await this.#exit;
    return code === 0 ? '0' : `${String(code ?? signal)}\n${this.#errors}`;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #take(service: string, line: string): void {
    const { traceId = '', spanId = '', message = '' } = fieldsOf(line);
    if (spanId !== '') this.lines.push({ service, traceId, spanId, message });
  }
}

function fieldsOf(line: string): { traceId?: string; spanId?: string; message?: string } {
  try {
    const fields = JSON.parse(line) as Record<string, string | undefined>;
    const { trace_id: traceId, span_id: spanId } = fields;
    const message = fields['message'] ?? fields['msg'] ?? fields['@m'];
    return {
      ...(traceId !== undefined && { traceId }),
      ...(spanId !== undefined && { spanId }),
      ...(message !== undefined && { message }),
    };
  } catch {
    return {};
  }
}
