import { type Server, createServer } from 'node:http';
import { type ConnectRouter, createClient } from '@connectrpc/connect';
import { connectNodeAdapter, createGrpcTransport } from '@connectrpc/connect-node';
import { Catalog } from '../../apps/demo/src/gen/shop/v1/catalog_pb.ts';
import { announce } from './announce.ts';
import { productOf } from './product.ts';

const backend = process.env['BACKEND'];

/** JSON over HTTP/1.1 as Connect has it, with the answer of a backend or its own. */
function routes(router: ConnectRouter): void {
  if (backend === undefined) {
    router.rpc(Catalog.method.get, ({ name }) => productOf(name));
    return;
  }
  const client = createClient(Catalog, createGrpcTransport({ baseUrl: `http://${backend}` }));
  router.rpc(Catalog.method.get, (request) => client.get(request));
}

const server: Server = createServer(connectNodeAdapter({ routes }));
server.listen(0, '127.0.0.1', () => announce(server));
