import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import autocannon from 'autocannon';

export const CONNECTIONS = 32;
/** Of the variants that sample, one of so many events is written. */
const SAMPLE = 100;
const SILENT = ['bare', 'context'];
const FIELDS =
  'level time message RequestId Method Path Status status bytes remote duration_ms user_agent';

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** An app of the bench in a process of its own, which may be started several times, and what was measured of it. */
export class Subject {
  requests = 0;
  lines = 0;
  rounds = [];
  /** Of the bare app, each right before the round of this one. */
  bareRounds = [];

  /** @param path behind that of an order. */
  constructor(adapter, variant, folder, path = '', connections = CONNECTIONS) {
    Object.assign(this, {
      adapter,
      variant,
      path,
      connections,
      name: `${adapter} ${variant}${path}`,
    });
    this.folder = folder;
    this.file = join(folder, `${this.name.replaceAll(/\W+/g, '-')}.log`);
  }

  async start() {
    const { adapter, variant, folder, file } = this;
    this.requestsBefore = this.requests;
    this.child = fork(join(folder, 'app.mjs'), [adapter, variant, file]);
    const [{ port }] = await once(this.child, 'message');
    this.url = `http://127.0.0.1:${port}/orders/o-17${this.path}?secret=1`;
  }

  /** The requests in a second and the CPU time of one, over so many seconds. */
  async round(seconds) {
    const before = await this.ask('cpu');
    const { requests, non2xx, errors } = await autocannon({
      url: this.url,
      connections: this.connections,
      duration: seconds,
      headers: { 'user-agent': 'bench/1' },
    });
    const after = await this.ask('cpu');
    if (non2xx + errors > 0) throw new Error(`${this.name}: ${non2xx + errors} requests failed`);
    this.requests += requests.sent;
    const cpu = after.user + after.system - before.user - before.system;
    return { rps: requests.average, cpu: cpu / requests.total };
  }

  async ask(what) {
    this.child.send(what);
    const [answer] = await once(this.child, 'message');
    return answer;
  }

  /** Ends the app and checks what it wrote. */
  async finish() {
    this.child.send('stop');
    await once(this.child, 'exit');
    if (SILENT.includes(this.variant)) return;
    const lines = (await readFile(this.file, 'utf8')).trimEnd().split('\n');
    const event = JSON.parse(lines.at(-1));
    const missing = FIELDS.split(' ').filter((field) => event[field] === undefined);
    if (missing.length > 0) throw new Error(`${this.name}: no ${missing.join(', ')}`);
    const told = lines.reduce((sum, line) => sum + (JSON.parse(line).stands_for ?? 1), 0);
    const asked = this.requests - this.requestsBefore;
    const leftOut = asked - told;
    if (leftOut < 0 || leftOut >= (this.variant.endsWith(', sample') ? SAMPLE : 1)) {
      throw new Error(`${this.name}: events of ${told} requests, of ${asked}`);
    }
    this.lines += lines.length;
    await rm(this.file);
  }

  median(key) {
    return median(this.rounds.map((round) => round[key]));
  }

  /** The median of what each round makes of this subject and the bare one. */
  medianBeside(figure) {
    return median(this.rounds.map((own, i) => figure(own, this.bareRounds[i])));
  }
}
