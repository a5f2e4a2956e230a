// Compares ways of logging the requests of the same Nest app: `npm --prefix bench run request
// [rounds] [seconds]`. Every variant writes the same fields to a file; the lines are counted.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { bundle } from '../bundle.mjs';

const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 2);
const CONNECTIONS = 32;
const ADAPTERS = ['fastify', 'express'];
/** `context` logs nothing: it is an AsyncLocalStorage around each request, which all but winston need. */
const VARIANTS = [
  'bare',
  'context',
  'logx',
  'logx, gather',
  'logx, sample',
  'nestjs-pino',
  'winston',
];
/** Of those that also answer by a handler that waits for a millisecond, on Fastify. */
const WAITING = ['bare', 'logx', 'nestjs-pino'];
const SILENT = ['bare', 'context'];
const FIELDS =
  'level time message RequestId Method Path Status status bytes remote duration_ms user_agent';

const here = fileURLToPath(new URL('.', import.meta.url));

class Subject {
  requests = 0;
  rounds = [];

  /** @param path behind that of an order. */
  constructor(adapter, variant, folder, path = '') {
    Object.assign(this, { adapter, variant, path, name: `${adapter} ${variant}${path}` });
    this.file = join(folder, `${this.name.replaceAll(/\W+/g, '-')}.log`);
    this.child = fork(join(folder, 'app.mjs'), [adapter, variant, this.file]);
  }

  async listening() {
    const [{ port }] = await once(this.child, 'message');
    this.url = `http://127.0.0.1:${port}/orders/o-17${this.path}?secret=1`;
  }

  async round(seconds, counts = true) {
    const before = await this.ask('cpu');
    const { requests, non2xx, errors } = await autocannon({
      url: this.url,
      connections: CONNECTIONS,
      duration: seconds,
      headers: { 'user-agent': 'bench/1' },
    });
    const after = await this.ask('cpu');
    if (non2xx + errors > 0) throw new Error(`${this.name}: ${non2xx + errors} requests failed`);
    this.requests += requests.sent;
    const cpu = after.user + after.system - before.user - before.system;
    if (counts) this.rounds.push({ rps: requests.average, cpu: cpu / requests.total });
  }

  async ask(what) {
    this.child.send(what);
    const [answer] = await once(this.child, 'message');
    return answer;
  }

  /** Ends the app and checks what it wrote; returns the lines. */
  async finish() {
    this.child.send('stop');
    await once(this.child, 'exit');
    if (SILENT.includes(this.variant)) return 0;
    const lines = (await readFile(this.file, 'utf8')).trimEnd().split('\n');
    const event = JSON.parse(lines.at(-1));
    const missing = FIELDS.split(' ').filter((field) => event[field] === undefined);
    if (missing.length > 0) throw new Error(`${this.name}: no ${missing.join(', ')}`);
    const told = lines.reduce((sum, line) => sum + (JSON.parse(line).stands_for ?? 1), 0);
    const leftOut = this.requests - told;
    if (leftOut < 0 || leftOut >= (this.variant === 'logx, sample' ? 100 : 1)) {
      throw new Error(`${this.name}: events of ${told} requests, of ${this.requests}`);
    }
    return lines.length;
  }

  median(key) {
    const values = this.rounds.map((round) => round[key]).toSorted((a, b) => a - b);
    return values[Math.floor(values.length / 2)];
  }
}

const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));
const subjects = [];
try {
  await bundle([join(here, 'app.ts')], folder, [
    '@nestjs/*',
    'reflect-metadata',
    'rxjs',
    'nestjs-pino',
    'pino',
    'winston',
    'yaml',
  ]);
  for (const adapter of ADAPTERS) {
    for (const variant of VARIANTS) subjects.push(new Subject(adapter, variant, folder));
  }
  for (const variant of WAITING) subjects.push(new Subject('fastify', variant, folder, '/waited'));
  await Promise.all(subjects.map((subject) => subject.listening()));
  for (const subject of subjects) await subject.round(1, false);
  // One of each in turn, so that a noisy moment of the machine hits all of them.
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of subjects) await subject.round(SECONDS);
  }
  const lines = new Map();
  for (const subject of subjects) lines.set(subject, await subject.finish());

  console.log(
    `${CONNECTIONS} connections, medians of ${ROUNDS} interleaved rounds of ${SECONDS} s, ` +
      `Node ${process.version}`,
  );
  const rows = {};
  const goals = [];
  const tables = ADAPTERS.map((adapter) => ({ adapter, path: '', variants: VARIANTS }));
  tables.push({ adapter: 'fastify', path: '/waited', variants: WAITING });
  for (const { adapter, path, variants } of tables) {
    const of = (variant) =>
      subjects.find((s) => s.adapter === adapter && s.variant === variant && s.path === path);
    const bare = of('bare');
    const share = (variant) => of(variant).median('rps') / bare.median('rps');
    const delta = (variant) => of(variant).median('cpu') - bare.median('cpu');
    for (const variant of variants) {
      const subject = of(variant);
      rows[subject.name] = {
        'requests/s': Math.round(subject.median('rps')),
        '× bare': Number(share(variant).toFixed(3)),
        'CPU µs/request': Number(subject.median('cpu').toFixed(1)),
        '− bare': Number(delta(variant).toFixed(1)),
        requests: subject.requests,
        lines: lines.get(subject),
      };
    }
    const goal = (text) => (adapter === 'fastify' ? ` (goal ${text})` : '');
    if (path === '') {
      goals.push(
        `${adapter}: the context alone ${share('context').toFixed(3)} × bare`,
        `${adapter}: logx ${share('logx').toFixed(3)} × bare${goal('0.80')}, gathering ` +
          `${share('logx, gather').toFixed(3)}, one in a hundred ` +
          `${share('logx, sample').toFixed(3)}${goal('0.93')}; CPU ` +
          `${(delta('logx') / delta('nestjs-pino')).toFixed(2)} × nestjs-pino's${goal('0.35')}`,
      );
    } else {
      goals.push(
        `${adapter}, waiting a millisecond: logx ${share('logx').toFixed(3)} × bare${goal('0.97')}`,
      );
    }
  }
  console.table(rows);
  for (const goal of goals) console.log(goal);
} finally {
  for (const { child } of subjects) child.kill();
  await rm(folder, { recursive: true });
}
