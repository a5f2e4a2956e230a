import { join } from 'node:path';
import { Metadata, credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const proto = join(import.meta.dirname, '../app/proto/shop/v1/orders.proto');
const ITEM = Buffer.from([1, 2]);

/** Name of the answer, method, request, metadata. */
const CALLS = [
  ['grpc order', 'Get', { id: 'o-1' }],
  ['grpc order that is not there', 'Get', { id: 'o-0' }],
  ['grpc RpcException', 'Get', { id: 'gone' }],
  ['grpc broken', 'Get', { id: 'broken' }],
  ['grpc out of stock', 'Get', { id: 'moon' }],
  ['grpc secret', 'Cancel', { id: 'o-1' }],
  ['grpc secret with the key', 'Cancel', { id: 'o-1' }, { 'x-api-key': 'open-sesame' }],
  ['grpc list', 'List', { count: 2 }],
  ['grpc list of none', 'List', { count: 0 }],
];

/** Every answer of the gRPC server: messages, status, metadata before and after. */
export async function grpcAnswers({ grpcPort }) {
  const { Orders } = loadPackageDefinition(loadSync(proto, { longs: String, defaults: true })).shop
    .v1;
  const client = new Orders(`127.0.0.1:${grpcPort}`, credentials.createInsecure());
  const answers = {};
  for (const [name, method, message, headers = {}] of CALLS) {
    answers[name] = await callOf(client, Orders.service[method], message, headers);
  }
  const unknown = { ...Orders.service.Get, path: '/shop.v1.Orders/Nothing' };
  answers['grpc unknown method'] = await callOf(client, unknown, { id: 'o-1' }, {});
  client.close();
  return answers;
}

function callOf(client, { path, requestSerialize, responseDeserialize }, message, headers) {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(headers)) metadata.set(key, value);
  metadata.set('item-bin', ITEM);
  const call = client.makeServerStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    message,
    metadata,
  );
  const answer = { messages: [], headers: {} };
  return new Promise((resolve) => {
    call.on('metadata', (received) => (answer.headers = stable(received)));
    call.on('data', (order) => answer.messages.push(order));
    call.on('error', () => {});
    call.on('status', ({ code, details, metadata: trailers }) =>
      resolve({ code, details, ...answer, trailers: stable(trailers) }),
    );
  });
}

/** Without the time, and the type, which is where the first frame is; an id is no more than that. */
function stable(metadata) {
  const { date: _, 'content-type': __, ...rest } = metadata.getMap();
  if (rest['x-request-id'] !== undefined) rest['x-request-id'] = '(an id)';
  return rest;
}
