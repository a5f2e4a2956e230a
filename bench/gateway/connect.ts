import { type Server, createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { type ConnectRouter, createClient } from '@connectrpc/connect';
import { connectNodeAdapter, createGrpcTransport } from '@connectrpc/connect-node';
import { Catalog } from '../../apps/demo/src/gen/shop/v1/catalog_pb.ts';
import { Orders } from '../../apps/demo/src/gen/shop/v1/orders_pb.ts';
import { announce } from './announce.ts';
import { eventOf, productOf } from './product.ts';

const backend = process.env['BACKEND'];

/** All protocols that Connect has, with the answer of a backend or its own. */
function routes(router: ConnectRouter): void {
  if (backend === undefined) {
    router.rpc(Catalog.method.get, ({ name }) => productOf(name));
    router.rpc(Orders.method.watch, async function* (_request, { signal }) {
      yield eventOf();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    return;
  }
  const client = createClient(Catalog, createGrpcTransport({ baseUrl: `http://${backend}` }));
  router.rpc(Catalog.method.get, (request) => client.get(request));
}

const handler = connectNodeAdapter({ routes });
const server =
  process.env['HTTP2'] === undefined
    ? createServer(handler)
    : (createHttp2Server(handler) as unknown as Server);
server.listen(0, '127.0.0.1', () => announce(server));
