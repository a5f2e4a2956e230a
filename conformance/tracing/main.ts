import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/testing/free-port.js';
import { Redis } from '../redis.js';
import { Receiver } from './receiver.js';
import type { ReceivedSpan } from './received-span.js';
import { renderAttributes } from './render-attributes.js';
import { render } from './render.js';
import { Running } from './running.js';
import {
  type Doors,
  CALLER_SPAN,
  ENDS,
  ORDER_ATTRIBUTES,
  ORDER_SCENARIO,
  type Scenario,
  newTrace,
  openDoors,
} from './scenarios.js';

/** Calls that are under way when the app is told to stop. */
const CALLS_AT_STOP = 40;
/** How long each of them takes, and after how much of it the signal comes. */
const SLOW_MS = 1_500;
const STOP_AFTER_MS = 700;
const SDK_NAME = 'telemetry.sdk.name';
const PROCESSES = ['back', 'worker', 'front'] as const;

interface App {
  readonly name: string;
  readonly folder: string;
}

let failures = 0;
for (const app of JSON.parse(process.env['TRACING_APPS']!) as App[]) await check(app);
console.log(failures === 0 ? 'passed' : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;

async function check({ name, folder }: App): Promise<void> {
  const begun = performance.now();
  const redis = await Redis.create();
  await redis.start();
  const receiver = await Receiver.start();
  const [http, grpc, back] = [await freePort(), await freePort(), await freePort()].map(String);
  const env = {
    OTLP_URL: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    REDIS_PORT: String(redis.port),
    HTTP_PORT: http!,
    GRPC_PORT: grpc!,
    BACK_PORT: back!,
    DESCRIPTORS: ['shop', 'payments'].map(descriptors).join(','),
  };
  const running = PROCESSES.map((service) => new Running(folder, service, env));
  const doors = openDoors(http!, grpc!);
  try {
    await Promise.all(running.map((one) => one.ready()));
    const asked: { scenario: Scenario; traceId: string }[] = [];
    for (const scenario of [ORDER_SCENARIO, ...ENDS]) {
      const { traceId, traceparent } = newTrace();
      asked.push({ scenario, traceId });
      await scenario.call(doors, { traceparent }).catch(() => {});
    }
    await said(running, 'Mailed orders/1');
    const atStop = Array.from({ length: CALLS_AT_STOP }, () => newTrace());
    const calls = atStop.map(({ traceparent }, i) => readSlowly(doors, traceparent, i % 2 === 0));
    await sleep(STOP_AFTER_MS);
    const front = running[2]!.stop();
    const ended = await Promise.allSettled(calls);
    const failed = ended.filter(({ status }) => status === 'rejected');
    expectText(String(failed.length), '0', `${name}: calls that the stop has cut off`);
    expectText(await front, '0', `${name}: exit code of front`);
    const codes = await Promise.all(running.slice(0, 2).map((one) => one.stop()));
    expectText(codes.join(), '0,0', `${name}: exit codes of back and worker`);

    const logs = running.flatMap(({ lines }) => lines);
    for (const { scenario, traceId } of asked) {
      const shown = rendered(receiver.trace(traceId), logs);
      expectText(shown, scenario.expected.trim(), `${name}: ${scenario.name}`);
    }
    const [order] = asked.map(({ traceId }) => receiver.trace(traceId));
    const ports = { [http!]: 'the port of HTTP', [back!]: 'the port of back' };
    expectText(
      renderAttributes(order!, ports),
      ORDER_ATTRIBUTES.trim(),
      `${name}: each attribute of a REST call through three processes`,
    );
    const spans = atStop.flatMap(({ traceId }) => receiver.trace(traceId));
    expectText(
      countByName(spans),
      `${CALLS_AT_STOP / 2} GET /v1/{name=orders/*}, ${CALLS_AT_STOP} shop.v1.Orders/Get`,
      `${name}: spans of calls at the stop`,
    );
    expectText(doubled(receiver.spans).join(', '), '', `${name}: spans that were sent twice`);
    expectText(
      resources(receiver.spans),
      PROCESSES.toSorted()
        .map((service) => `${service} by opentelemetry`)
        .join(', '),
      `${name}: resources`,
    );
  } finally {
    for (const one of running) one.kill();
    await doors.close();
    receiver.stop();
    await redis.stop();
  }
  console.log(`${name}: ${Math.round((performance.now() - begun) / 1_000)} s`);
}

/** By gRPC or by REST; rejects where the call does not succeed. */
async function readSlowly(doors: Doors, traceparent: string, byGrpc: boolean): Promise<void> {
  const name = `orders/slow-${SLOW_MS}`;
  if (byGrpc) return void (await doors.staff.get({ name }, { headers: { traceparent } }));
  const headers = { traceparent, authorization: 'Bearer staff' };
  const { status } = await fetch(`${doors.url}/v1/${name}`, { headers });
  if (status !== 200) throw new Error(`answered with ${status}`);
}

/** Requests' own log lines are the app's concern, the rest belongs to the spans. */
function rendered(spans: readonly ReceivedSpan[], logs: Running['lines']): string {
  const known = spans.map((span) =>
    span.parentId === CALLER_SPAN ? { ...span, parentId: '' } : span,
  );
  return render(
    known,
    logs.filter(({ message }) => /^(?:Placed|Approved|Mailed) /.test(message)),
  );
}

async function said(running: readonly Running[], message: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (running.some(({ lines }) => lines.some((line) => line.message === message))) return;
    await sleep(50);
  }
  expectText('nobody', 'the worker', `who says "${message}" within a span`);
}

function countByName(spans: readonly ReceivedSpan[]): string {
  const names = new Map<string, number>();
  for (const { name } of spans) names.set(name, (names.get(name) ?? 0) + 1);
  return [...names]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function doubled(spans: readonly ReceivedSpan[]): string[] {
  const ids = new Set<string>();
  return spans.filter(({ spanId }) => ids.size === ids.add(spanId).size).map(({ name }) => name);
}

function resources(spans: readonly ReceivedSpan[]): string {
  const of = spans.map(({ service, resource }) => `${service} by ${String(resource[SDK_NAME])}`);
  return [...new Set(of)].toSorted().join(', ');
}

function descriptors(name: string): string {
  return fileURLToPath(new URL(`../../../../apps/demo/gen/${name}.binpb`, import.meta.url));
}

function expectText(actual: string, expected: string, what: string): void {
  if (actual === expected) return console.log(`ok      ${what}`);
  failures += 1;
  const shown = (text: string): string => text.replaceAll(/^/gm, '    ');
  console.error(`FAILED  ${what}\n  expected\n${shown(expected)}\n  got\n${shown(actual)}`);
}
