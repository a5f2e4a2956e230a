import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, channelOf, createClient } from '@apix/grpc-client/core';
import { Orders } from '../../apps/demo/src/gen/shop/v1/orders_pb.js';
import { Support } from '../../apps/demo/src/gen/shop/v1/support_pb.js';

/** The span of the caller, which no receiver knows. */
export const CALLER_SPAN = 'ca11e4ca11e4ca11';

/** One way in, and what it leaves at the receiver. */
export interface Scenario {
  readonly name: string;
  /** The spans of its trace, as `render` has them. */
  readonly expected: string;
  call(door: Doors, headers: Readonly<Record<string, string>>): Promise<unknown>;
}

/** How the app is reached. */
export interface Doors {
  readonly url: string;
  readonly staff: Client<typeof Orders>;
  readonly anonymous: Client<typeof Orders>;
  readonly support: Client<typeof Support>;
  close(): Promise<void>;
}

export function openDoors(httpPort: string, grpcPort: string): Doors {
  const endpoint = `127.0.0.1:${grpcPort}`;
  const options = {
    endpoint,
    authorization: { from: () => 'Bearer staff', hosts: ['127.0.0.1'] },
  };
  const staff = createClient(Orders, options);
  const support = createClient(Support, options);
  const anonymous = createClient(Orders, { endpoint });
  return {
    url: `http://127.0.0.1:${httpPort}`,
    staff,
    anonymous,
    support,
    close: async () => {
      for (const client of [staff, anonymous, support]) await channelOf(client).close();
    },
  };
}

export function newTrace(): { readonly traceId: string; readonly traceparent: string } {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${CALLER_SPAN}-01` };
}

const STAFF = { authorization: 'Bearer staff' };
const JSON_BODY = { 'content-type': 'application/json' };
const ORDER = JSON.stringify({
  lines: [{ product: 'products/tea', quantity: 1 }],
  address: 'here',
});

async function* requests(count: number) {
  for (let i = 0; i < count; i++) {
    yield { order: { customer: 'somebody' } };
    await sleep(10);
  }
}

function* messages() {
  yield { text: 'where is it' };
  yield { text: 'and now' };
}

const get =
  (path: string, more: Readonly<Record<string, string>> = {}) =>
  ({ url }: Doors, headers: Readonly<Record<string, string>>) =>
    fetch(url + path, { headers: { ...headers, ...more } }).then((answer) => answer.text());

/** One REST call that goes through all three processes. */
export const ORDER_SCENARIO: Scenario = {
  name: 'a REST call through three processes',
  call: ({ url }, headers) =>
    fetch(`${url}/v1/orders`, {
      method: 'POST',
      headers: { ...headers, ...STAFF, ...JSON_BODY },
      body: ORDER,
    }).then((answer) => answer.text()),
  expected: `
front SERVER "POST /v1/orders" UNSET http.response.status_code=200
  front SERVER "shop.v1.Orders/Create" UNSET rpc.status_code=OK
    front INTERNAL "OrderDesk.place" UNSET
      · front logs "Placed orders/1"
      front INTERNAL "OrderStore.insert" UNSET
        front CLIENT "INSERT orders" UNSET
      front CLIENT "shop.payments.v1.Payments/Reserve" UNSET rpc.status_code=OK
        back SERVER "shop.payments.v1.Payments/Reserve" UNSET rpc.status_code=OK
          back INTERNAL "Bank.approve" UNSET
            · back logs "Approved orders/1"
      front PRODUCER "send mail" UNSET
        worker CONSUMER "process mail" UNSET linked to 1
          worker INTERNAL "Mailer.send" UNSET
            · worker logs "Mailed orders/1"`,
};

/** Each attribute of the spans of that call, and no other. */
export const ORDER_ATTRIBUTES = `
back INTERNAL "Bank.approve"
  code.function.name = Bank.approve
back SERVER "shop.payments.v1.Payments/Reserve"
  apix.request.id = unknown 1
  client.address = 127.0.0.1
  client.port = unknown 2
  rpc.method = shop.payments.v1.Payments/Reserve
  rpc.status_code = OK
  rpc.system.name = grpc
front CLIENT "INSERT orders"
  db.system.name = postgresql
front CLIENT "shop.payments.v1.Payments/Reserve"
  rpc.method = shop.payments.v1.Payments/Reserve
  rpc.status_code = OK
  rpc.system.name = grpc
  server.address = 127.0.0.1
  server.port = the port of back
front INTERNAL "OrderDesk.place"
  code.function.name = OrderDesk.place
front INTERNAL "OrderStore.insert"
  code.function.name = OrderStore.insert
front PRODUCER "send mail"
  bullmq.job.name = confirm
  messaging.destination.name = mail
  messaging.message.id = 1
  messaging.operation.name = send
  messaging.operation.type = send
  messaging.system.name = bullmq
front SERVER "POST /v1/orders"
  apix.request.id = unknown 1
  client.address = 127.0.0.1
  http.request.method = POST
  http.response.status_code = 200
  http.route = /v1/orders
  network.protocol.version = 1.1
  server.address = 127.0.0.1
  server.port = the port of HTTP
  url.path = /v1/orders
  url.scheme = http
  user_agent.original = node
front SERVER "shop.v1.Orders/Create"
  apix.request.id = unknown 1
  rpc.method = shop.v1.Orders/Create
  rpc.status_code = OK
  rpc.system.name = grpc
worker CONSUMER "process mail"
  bullmq.job.attempts.made = 1
  bullmq.job.name = confirm
  messaging.destination.name = mail
  messaging.message.id = 1
  messaging.operation.name = process
  messaging.operation.type = process
  messaging.system.name = bullmq
worker INTERNAL "Mailer.send"
  code.function.name = Mailer.send`;

/** Each way in which a call may end. */
export const ENDS: readonly Scenario[] = [
  {
    name: 'a hand-written route',
    call: get('/plain/7'),
    expected: 'front SERVER "GET /plain/:id" UNSET http.response.status_code=200',
  },
  {
    name: 'a hand-written route that throws',
    call: get('/plain/broken'),
    expected:
      'front SERVER "GET /plain/broken" ERROR http.response.status_code=500 error.type=TypeError +exception',
  },
  {
    name: 'a hand-written route that is denied',
    call: get('/plain/closed', STAFF),
    expected: 'front SERVER "GET /plain/closed" UNSET http.response.status_code=403',
  },
  {
    name: 'a path that nobody serves',
    call: get('/nowhere'),
    expected: 'front SERVER "GET" UNSET http.response.status_code=404',
  },
  {
    name: 'a REST call without a token',
    call: get('/v1/orders/1'),
    expected: `
front SERVER "GET /v1/{name=orders/*}" UNSET http.response.status_code=401
  front SERVER "shop.v1.Orders/Get" UNSET rpc.status_code=UNAUTHENTICATED`,
  },
  {
    name: 'a REST call whose handler throws',
    call: get('/v1/orders/broken', STAFF),
    expected: `
front SERVER "GET /v1/{name=orders/*}" ERROR http.response.status_code=500 error.type=500
  front SERVER "shop.v1.Orders/Get" ERROR rpc.status_code=INTERNAL error.type=INTERNAL +exception`,
  },
  {
    name: 'a REST call whose caller leaves',
    call: ({ url }, headers) =>
      fetch(`${url}/v1/orders/slow-2000`, {
        headers: { ...headers, ...STAFF },
        signal: AbortSignal.timeout(500),
      }),
    expected: `
front SERVER "GET /v1/{name=orders/*}" UNSET
  front SERVER "shop.v1.Orders/Get" UNSET rpc.status_code=CANCELLED`,
  },
  {
    name: 'a gRPC call',
    call: ({ staff }, headers) => staff.get({ name: 'orders/1' }, { headers }),
    expected: 'front SERVER "shop.v1.Orders/Get" UNSET rpc.status_code=OK',
  },
  {
    name: 'a gRPC call without a token',
    call: ({ anonymous }, headers) => anonymous.get({ name: 'orders/1' }, { headers }),
    expected: 'front SERVER "shop.v1.Orders/Get" UNSET rpc.status_code=UNAUTHENTICATED',
  },
  {
    name: 'a gRPC call whose handler throws',
    call: ({ staff }, headers) => staff.get({ name: 'orders/broken' }, { headers }),
    expected:
      'front SERVER "shop.v1.Orders/Get" ERROR rpc.status_code=INTERNAL error.type=INTERNAL +exception',
  },
  {
    name: 'a gRPC call whose deadline passes',
    call: ({ staff }, headers) =>
      staff.get({ name: 'orders/slow-2000' }, { headers, timeout: 500 }),
    expected:
      'front SERVER "shop.v1.Orders/Get" ERROR rpc.status_code=DEADLINE_EXCEEDED error.type=DEADLINE_EXCEEDED',
  },
  {
    name: 'a stream that is read to its end',
    call: async ({ staff }, headers) => {
      for await (const _event of staff.watch({ limit: 3 }, { headers }));
    },
    expected: 'front SERVER "shop.v1.Orders/Watch" UNSET rpc.status_code=OK',
  },
  {
    name: 'a stream that its caller leaves',
    call: async ({ staff }, headers) => {
      for await (const _event of staff.watch({}, { headers })) break;
    },
    expected: 'front SERVER "shop.v1.Orders/Watch" UNSET rpc.status_code=CANCELLED',
  },
  {
    name: 'a stream of requests',
    call: ({ staff }, headers) => staff.import(requests(3), { headers }),
    expected: 'front SERVER "shop.v1.Orders/Import" UNSET rpc.status_code=OK',
  },
  {
    name: 'a conversation',
    call: async ({ support }, headers) => {
      for await (const _answer of support.chat(messages(), { headers }));
    },
    expected: 'front SERVER "shop.v1.Support/Chat" UNSET rpc.status_code=OK',
  },
  {
    name: 'a method that nobody serves',
    call: ({ staff }, headers) => staff.list({}, { headers }),
    expected:
      'front SERVER "shop.v1.Orders/List" ERROR rpc.status_code=UNIMPLEMENTED error.type=UNIMPLEMENTED +exception',
  },
];
