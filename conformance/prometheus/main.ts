import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { freePort } from '../../tools/testing/free-port.js';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ShopProcess } from '../../apps/demo/tour/shop-process.js';
import { dashboardAnswers } from './dashboard.js';
import { Prometheus, type Target, findPrometheus, until } from './prometheus.js';

/** What Prometheus must answer while the app runs, and again while it stops. */
const WHILE_RUNNING: Readonly<Record<string, number>> = {
  'hostx_host_up{job="app"}': 1,
  'hostx_host_up{job="own_port"}': 1,
  'hostx_service_restarts_total{job="app",service="flaky"}': 1,
  'hostx_service_restarts_total{job="app",service="slow"}': 0,
  'hostx_service_failures_total{job="app",service="flaky"}': 0,
  'apix_gateway_requests_total{job="app",status="200"}': 3,
  'apix_gateway_requests_total{job="app",status="401"}': 2,
  'apix_authz_decisions_total{job="app",outcome="allowed"}': 3,
  'apix_authz_decisions_total{job="app",outcome="denied"}': 2,
  // The app has a label of its own called job; Prometheus keeps it as exported_job.
  'apix_cron_runs_total{job="app",exported_job="sweep",outcome="ok"}': 1,
  'apix_logx_otel_sent_total{job="app",target="global provider"}': 0,
  // One event for each of the five requests, for one reason; those of the scrapes are left out.
  'apix_logx_otel_dropped_total{job="app",target="global provider",reason="unready"}': 5,
  'sum(apix_logx_otel_dropped_total{job="app",target="global provider"})': 5,
};
const WHILE_STOPPING: Readonly<Record<string, number>> = {
  'hostx_host_up{job="own_port"}': 0,
  'hostx_service_stop_duration_count{job="own_port",service="http",outcome="stopped"}': 1,
  'hostx_service_stop_duration_bucket{job="own_port",service="flaky",le="60"}': 1,
};
/** And what it must answer of the demo, called as often. */
const OF_THE_DEMO: Readonly<Record<string, number>> = {
  'hostx_host_up{job="demo"}': 1,
  'hostx_service_restarts_total{job="demo",service="outbox"}': 1,
  'hostx_service_restarts_total{job="demo",service="grpc"}': 0,
  'hostx_service_restarts_total{job="demo",service="http"}': 0,
  'hostx_service_failures_total{job="demo",service="outbox"}': 0,
  'apix_gateway_requests_total{job="demo",status="200"}': 3,
  'apix_gateway_requests_total{job="demo",status="401"}': 2,
  // Three calls, and the hand-written endpoint that crashes the outbox.
  'apix_authz_decisions_total{job="demo",outcome="allowed"}': 4,
  'apix_authz_decisions_total{job="demo",outcome="denied"}': 2,
  'apix_cron_runs_total{job="demo",exported_job="stock-check",outcome="ok"} >= bool 1': 1,
};
const TYPES: Readonly<Record<string, string>> = {
  hostx_host_up: 'gauge',
  hostx_service_restarts_total: 'counter',
  hostx_service_failures_total: 'counter',
  hostx_service_stop_duration: 'histogram',
};

/** Nobody without a role may do this. */
const CREATE = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{}',
} as const;

async function startApp(port: number, file = 'app.mjs') {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [String(port)], {
    silent: true,
  });
  child.stderr!.pipe(process.stderr);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const served = await new Promise<number>((resolve, reject) => {
    child.stdout!.on('data', (data: Buffer) => {
      const said = /ready (\d+)/.exec(data.toString());
      if (said !== null) resolve(Number(said[1]));
    });
    child.once('exit', (code) => reject(new Error(`the app ended with ${code}`)));
  });
  return { child, ended, url: `http://127.0.0.1:${served}` };
}

let checks = 0;
function checked(what: string): void {
  checks++;
  process.stdout.write(`ok  ${what}\n`);
}

async function answers(prometheus: Prometheus, wanted: Readonly<Record<string, number>>) {
  for (const [query, value] of Object.entries(wanted)) {
    let found: unknown;
    await until(`${query} is ${value}`, async () => {
      const series = await prometheus.query(query);
      found = series;
      return series.length === 1 && series[0]!.value === value;
    }).catch((cause: unknown) => {
      throw new Error(`${query} is not ${value}: ${JSON.stringify(found)}`, { cause });
    });
    checked(`${query} is ${value}`);
  }
}

async function main(folder: string): Promise<void> {
  const binaries = findPrometheus(folder);
  const version = execFileSync(binaries.prometheus, ['--version'], { encoding: 'utf8' });
  process.stdout.write(`${version.split('\n')[0]}\n`);
  const metricsPort = await freePort();
  const app = await startApp(metricsPort);
  const demo = await ShopProcess.start(process.cwd());
  const [, demoUrl] = await demo.said(/REST +(\S+)/);
  const prometheus = await Prometheus.start(binaries, folder, await freePort(), {
    app: new URL(app.url).host,
    own_port: `127.0.0.1:${metricsPort}`,
    demo: new URL(demoUrl!).host,
  });
  try {
    await whileRunning(app.url, prometheus);
    await demoCalled(demo, demoUrl!, prometheus);
    app.child.kill('SIGTERM');
    await whileStopping(prometheus);
    const code = await app.ended;
    if (code !== 0) throw new Error(`the app ended with ${code}`);
    checked('the app ended with 0');
  } finally {
    app.child.kill('SIGKILL');
    await demo.remove();
    await prometheus.stop();
  }
  await dashboardShown();
  process.stdout.write(`${checks} checks passed\n`);

  async function dashboardShown(): Promise<void> {
    const { child, url } = await startApp(await freePort(), 'dashboard-app.mjs');
    try {
      await dashboardAnswers({ url, port: await freePort(), binaries, folder }, checked);
    } finally {
      child.kill('SIGKILL');
    }
  }

  async function whileRunning(url: string, prometheus: Prometheus): Promise<void> {
    await callOftenEnough(url);
    await answers(prometheus, WHILE_RUNNING);
    const input = await (await fetch(`${url}/metrics`)).text();
    const stdio = ['pipe', 'inherit', 'inherit'] as const;
    execFileSync(binaries.promtool, ['check', 'metrics'], { input, stdio: [...stdio] });
    checked('promtool finds nothing wrong with the page');
    await everyTargetIsUp(prometheus);
  }
}

/** A busy machine may take longer for one scrape than it is given: the next one counts too. */
async function everyTargetIsUp(prometheus: Prometheus): Promise<void> {
  let targets: readonly Target[] = [];
  await until('every target is up', async () => {
    targets = await prometheus.targets();
    return targets.length > 0 && targets.every(({ health }) => health === 'up');
  }).catch((cause: unknown) => {
    throw new Error(`a target is not up: ${JSON.stringify(targets)}`, { cause });
  });
  for (const { job } of targets) checked(`the target ${job} is up`);
}

/** Three calls that are answered, and two that are refused. */
async function callOftenEnough(url: string): Promise<void> {
  for (let i = 0; i < 3; i++) await fetch(`${url}/v1/products`);
  for (let i = 0; i < 2; i++) await fetch(`${url}/v1/products`, CREATE);
}

async function demoCalled(demo: ShopProcess, url: string, prometheus: Prometheus): Promise<void> {
  await callOftenEnough(url);
  const [, grace] = await demo.said(/GRACE=(\S+)/);
  const headers = { authorization: `Bearer ${grace}` };
  await fetch(`${url}/outbox/crash`, { method: 'POST', headers });
  await answers(prometheus, OF_THE_DEMO);
  const code = await demo.stop();
  if (code !== 0) throw new Error(`the demo ended with ${code}`);
  checked('the demo ended with 0');
}

async function whileStopping(prometheus: Prometheus): Promise<void> {
  await answers(prometheus, WHILE_STOPPING);
  const types = await prometheus.types();
  for (const [name, type] of Object.entries(TYPES)) {
    if (types[name] !== type) throw new Error(`${name} is of the type ${types[name]}, not ${type}`);
    checked(`${name} is a ${type}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'apix-prometheus-'));
try {
  await main(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
