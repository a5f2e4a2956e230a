import { Client, Metadata, type StatusObject, credentials, status } from '@grpc/grpc-js';
import type { Kind } from './load.js';
import type { ShopAddresses } from './shop-process.js';

/** What comes over gRPC: calls, denied calls, and streams that are left. */
export function grpcKinds(addresses: ShopAddresses): {
  readonly kinds: readonly Kind[];
  readonly close: () => void;
} {
  const client = new Client(addresses.grpc, credentials.createInsecure());
  const asIs = (bytes: Buffer): Buffer => bytes;

  const metadataOf = (token?: string): Metadata => {
    const metadata = new Metadata();
    if (token !== undefined) metadata.set('authorization', token);
    return metadata;
  };

  const unary = (name: string, share: number, code: status, token?: string): Kind => ({
    name,
    share,
    async request() {
      const ended = await new Promise<StatusObject>((resolve) => {
        client
          .makeUnaryRequest(
            '/shop.v1.Orders/Get',
            asIs,
            asIs,
            orderRequest('orders/1001'),
            metadataOf(token),
            { deadline: Date.now() + 30_000 },
            () => {},
          )
          .on('status', resolve);
      });
      expectCode(ended, code);
    },
  });

  return {
    kinds: [
      unary('gRPC, with a token', 3, status.OK, addresses.grace),
      unary('gRPC, denied, nobody', 1, status.UNAUTHENTICATED),
      unary('gRPC, denied, a customer', 1, status.PERMISSION_DENIED, addresses.ada),
      {
        name: 'gRPC, stream left after a message',
        share: 1,
        waits: true,
        async request(signal) {
          const stream = client.makeServerStreamRequest(
            '/shop.v1.Orders/Watch',
            asIs,
            asIs,
            Buffer.alloc(0),
            metadataOf(addresses.grace),
            { deadline: Date.now() + 30_000 },
          );
          const leave = (): void => stream.cancel();
          signal.addEventListener('abort', leave, { once: true });
          // The status says the same as the error.
          stream.on('data', leave).on('error', () => {});
          const ended = await new Promise<StatusObject>((resolve) => stream.on('status', resolve));
          signal.removeEventListener('abort', leave);
          signal.throwIfAborted();
          expectCode(ended, status.CANCELLED);
        },
      },
    ],
    close: () => client.close(),
  };
}

function expectCode(ended: StatusObject, code: status): void {
  if (ended.code === code) return;
  throw new Error(`${status[ended.code]} (${ended.details}), not ${status[code]}`);
}

/** A message whose field 1 is a short text. */
function orderRequest(name: string): Buffer {
  return Buffer.concat([Buffer.from([0x0a, name.length]), Buffer.from(name)]);
}
