import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import type { SampledCall } from './call-in-typescript.js';
import { codeSamplesOf } from './other-protocols.js';

const shop = ProtoRegistry.load(
  new Uint8Array(readFileSync(new URL('../../../../apps/demo/gen/shop.binpb', import.meta.url))),
);
const methods = [...shop.methods.values()];

function sources(
  name: string,
  call: Partial<SampledCall>,
  protocols: readonly string[],
  prefix = '',
): readonly string[] {
  const method = methods.find((one) => `${one.parent.name}.${one.name}` === name)!;
  const others = {
    protocols: new Set(protocols),
    methods,
    pathOf: (path: string) => prefix + path,
  };
  const samples = codeSamplesOf({ method, sample: undefined, guarded: false, ...call }, others);
  return samples.map(({ source }) => source);
}

describe('a sample of code', () => {
  it('calls a guarded method with a token, and quotes what a shell would read', () => {
    const sample = { name: "products/earl's" };
    expect(sources('Catalog.GetStock', { sample, guarded: true }, ['grpc', 'connect'])).toEqual([
      String.raw`grpcurl -H "Authorization: Bearer $TOKEN" -d '{"name":"products/earl'\''s"}' "$HOST" shop.v1.Catalog/GetStock`,
      String.raw`curl "$URL/shop.v1.Catalog/GetStock" -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN" -d '{"name":"products/earl'\''s"}'`,
      `import { fromJson } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-web';
import { Catalog, GetStockRequestSchema } from './gen/shop/v1/catalog_pb.js';

const client = createClient(Catalog, createConnectTransport({ baseUrl: location.origin }));
const request = fromJson(GetStockRequestSchema, {
  "name": "products/earl's"
});
console.log(await client.getStock(request, { headers: { Authorization: \`Bearer \${token}\` } }));`,
    ]);
  });

  it('reads the messages of a stream, below the prefix of the path', () => {
    expect(sources('Orders.Watch', {}, ['grpc-web'], '/api')).toEqual([
      `import { createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { Orders } from './gen/shop/v1/orders_pb.js';

const client = createClient(Orders, createGrpcWebTransport({ baseUrl: location.origin + '/api' }));
const request = {};
for await (const message of client.watch(request)) console.log(message);`,
    ]);
  });

  it('is not for curl where messages of a stream have heads', () => {
    expect(sources('Orders.Watch', {}, ['connect', 'grpc'])).toEqual([
      `grpcurl -d '{}' "$HOST" shop.v1.Orders/Watch`,
      expect.stringContaining('createConnectTransport'),
    ]);
  });
});
