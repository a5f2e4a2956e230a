import { setTimeout as sleep } from 'node:timers/promises';
import { Code } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import { Client, credentials } from '@grpc/grpc-js';
import { GrpcCaller } from './grpc-caller.js';
import { ShopProcess } from './shop-process.js';

/** Prints each step with what came back; a step that gives anything else fails the tour. */
const shop = await ShopProcess.start(process.cwd());
let failures = 0;
// Whatever a step waits for, the tour ends.
setTimeout(() => {
  console.error(`the tour took too long; the shop said:\n${shop.output}`);
  void shop.remove().finally(() => process.exit(1));
}, 120_000).unref();
try {
  const [, http] = await shop.said(/REST +(\S+)/);
  const [, grpcAddress] = await shop.said(/gRPC {2,}(\S+)/);
  const [, office] = await shop.said(/host +http:\/\/([^@]+)@/);
  const [, ada] = await shop.said(/ADA=(\S+)/);
  const [, grace] = await shop.said(/GRACE=(\S+)/);
  await tour(http!, grpcAddress!, office!, { ada: ada!, grace: grace! });
} finally {
  await shop.remove();
}
console.log(failures === 0 ? '\nThe tour is over; everything came back as it should.' : '');
if (failures > 0) {
  console.error(`${failures} steps did not give what they should`);
  process.exitCode = 1;
}

type Tokens = Readonly<Record<'ada' | 'grace', string>>;

async function tour(http: string, address: string, office: string, tokens: Tokens): Promise<void> {
  const client = new Client(address, credentials.createInsecure());
  const grpc = new GrpcCaller(client, ProtoRegistry.load('apps/demo/gen/shop.binpb'));
  const rest = (method: string, path: string, token?: string, body?: object) =>
    fetch(http + path, {
      method,
      headers: {
        ...(token && { authorization: token }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const bearer = (who: keyof Tokens): string => `Bearer ${tokens[who]}`;

  title('Three callers, one policy, REST and gRPC');
  for (const [who, token, status, code] of [
    ['nobody', undefined, 401, Code.UNAUTHENTICATED],
    ['ada', bearer('ada'), 403, Code.PERMISSION_DENIED],
    ['grace', bearer('grace'), 200, Code.OK],
  ] as const) {
    const answer = await rest('POST', '/v1/orders/1001:cancel', token, {});
    step(`REST  ${who} cancels orders/1001`, answer.status, status, await answer.text());
    const name = 'orders/1001';
    const ended = await grpc.call('/shop.v1.Orders/Cancel', { name }, token);
    step(`gRPC  ${who} cancels orders/1001`, Code[ended.code], Code[code], ended.details);
  }
  console.log('   (the second cancel of grace changes nothing: the order is cancelled already)');

  title('Bad input: the answer says where it is wrong');
  const wrong = { lines: [{ product: 'products/tea', quantity: 'many' }] };
  const refused = await rest('POST', '/v1/orders', bearer('ada'), wrong);
  step('REST  ada orders "many" of a product', refused.status, 400, await refused.text());

  title('A stream, while something happens');
  const watching = await fetch(`${http}/v1/orders:watch`, {
    headers: { authorization: bearer('grace'), accept: 'text/event-stream' },
  });
  step('REST  grace watches orders, as Server-Sent Events', watching.status, 200);
  const news = watching.body!.pipeThrough(new TextDecoderStream()).getReader();
  const order = { lines: [{ product: 'products/tea', quantity: 2 }], address: '1 Mill Lane, Bath' };
  const placed = await rest('POST', '/v1/orders', bearer('ada'), order);
  step('REST  ada orders tea', placed.status, 200, await placed.text());
  let event = '';
  while (!event.includes('data:') || !event.endsWith('\n\n')) {
    const { value, done } = await news.read();
    if (done) break;
    event = value.startsWith(':') ? '' : event + value;
  }
  step('      and grace is told', event.includes('ORDER_STATE_PLACED'), true, event.trim());
  await news.cancel();

  title('Two processes, one request');
  const paymentsAddress = (await shop.said(/payments {2}(127\S+)/))[1]!;
  const paymentsClient = new Client(paymentsAddress, credentials.createInsecure());
  const payments = new GrpcCaller(
    paymentsClient,
    ProtoRegistry.load('apps/demo/gen/payments.binpb'),
  );
  const paid = await rest('POST', '/v1/orders', bearer('ada'), order);
  const id = paid.headers.get('x-request-id') ?? '';
  step('REST  ada orders tea, and the shop has it paid by payments', paid.status, 200);
  for (const [who, pattern] of [
    ['payments', `Reserved .*${id}.*`],
    ['payments', `gRPC .*${id}.*`],
    ['the shop', `POST .*${id}.*`],
  ] as const) {
    const [line] = await shop.said(new RegExp(pattern));
    console.log(`   ${who}: ${line}`);
  }
  const name = 'payments/1001';
  const own = await payments.call('/shop.payments.v1.Payments/Get', { name }, bearer('grace'));
  step(
    'gRPC  grace asks payments, without the shop',
    Code[own.code],
    'PERMISSION_DENIED',
    own.details,
  );
  const killed = await rest('POST', '/payments/crash', bearer('grace'));
  step('REST  grace kills payments', killed.status, 202);
  const keyed = '/v1/orders?idempotencyKey=on-the-tour';
  const names = new Set<string>();
  await sleepUntil(async () => {
    const answer = await rest('POST', keyed, bearer('ada'), order);
    const made = (await answer.json()) as { readonly name?: string };
    console.log(`   ada orders by a key: ${answer.status}`);
    if (answer.ok) names.add(made.name!);
    return answer.ok;
  });
  const repeated = await rest('POST', keyed, bearer('ada'), order);
  names.add(((await repeated.json()) as { readonly name: string }).name);
  step('REST  and once more: orders that were made', names.size, 1, [...names].join());
  paymentsClient.close();

  title('A service fails, and the host starts it again');
  const before = shop.output.length;
  const crash = await rest('POST', '/outbox/crash', bearer('grace'));
  step('REST  grace crashes the outbox', crash.status, 202);
  const [restarts] = await shop.said(/Service outbox ended early[^\n]*/, before);
  console.log(`   ${restarts}`);
  await shop.said(/Service outbox is ready/, before);
  const metrics = await (await rest('GET', '/metrics')).text();
  const restarted = /hostx_service_restarts_total\{[^}]*outbox[^}]*\} \d+/.exec(metrics)?.[0] ?? '';
  step('      its restarts, as Prometheus reads them', restarted.endsWith(' 1'), true, restarted);

  title('Health, docs and the page of the host');
  for (const [path, status] of [
    ['/healthz', 200],
    ['/readyz', 200],
    ['/docs', 200],
    ['/host', 401],
  ] as const) {
    const answer = await rest('GET', path);
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? '';
    step(`REST  nobody asks ${path}`, answer.status, status, type.includes('json') ? text : type);
  }
  const basic = `Basic ${Buffer.from(office).toString('base64')}`;
  const page = await rest('GET', '/host', basic);
  step('REST  the office asks /host', page.status, 200);

  title('The log level changes while it runs');
  const quiet = shop.output.length;
  const isSilent = async (): Promise<boolean> => {
    const mark = shop.output.length;
    await rest('GET', '/v1/products');
    // Long beside the time that a line needs, also where the machine is busy.
    await sleep(1_000);
    return shop.output.length === mark;
  };
  await shop.setLevel('error');
  await sleepUntil(isSilent);
  step('REST  a request at level error writes nothing', await isSilent(), true);
  await shop.setLevel('information');
  await sleepUntil(async () => {
    await rest('GET', '/v1/products');
    return shop.output.slice(quiet).includes('Reloaded in');
  });
  console.log('   and at level information it is written again');

  title('A stop that loses nothing');
  const last = rest('GET', '/v1/products');
  const exit = shop.stop();
  step('REST  a request under way as the shop is told to stop', (await last).status, 200);
  step('      the exit code', await exit, 0);
  console.log(`   ${shop.output.trimEnd().split('\n').at(-1)}`);
  client.close();
}

function title(text: string): void {
  console.log(`\n== ${text}`);
}

function step(what: string, got: unknown, wanted: unknown, more = ''): void {
  const ok = got === wanted;
  if (!ok) failures += 1;
  console.log(`${ok ? '   ' : '!! '}${what}: ${String(got)}${ok ? '' : `, not ${String(wanted)}`}`);
  for (const line of more.split('\n').filter((text) => text !== '')) console.log(`      ${line}`);
}

async function sleepUntil(happened: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await happened()) return;
    await sleep(50);
  }
  throw new Error('waited for nothing');
}
