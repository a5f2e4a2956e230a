import type { GrpcClientOptions } from '@apix/grpc-client';
import type { Payments } from '../gen/shop/payments/v1/payments_pb.js';
import { type DemoIssuer, SHOP } from '../identity/demo-issuer.js';
import { setting } from '../settings.js';

/** All of its methods can be called again, so that a call that is cut off by a crash is made again. */
const SERVICE_CONFIG = {
  methodConfig: [
    {
      name: [{ service: 'shop.payments.v1.Payments' }],
      retryPolicy: {
        maxAttempts: 5,
        initialBackoff: '0.1s',
        maxBackoff: '1s',
        backoffMultiplier: 2,
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    },
  ],
};

/** How the shop calls payments: as itself, not as the customer who has called it. */
export function paymentsClient(
  port: number,
  issuer: DemoIssuer,
): GrpcClientOptions<typeof Payments> {
  return {
    endpoint: `127.0.0.1:${port}`,
    // A restart takes less, and calls wait for it.
    timeout: setting('PAYMENTS_TIMEOUT') ?? '8s',
    waitForReady: true,
    authorization: {
      from: async () => `Bearer ${await issuer.token(SHOP, '1m')}`,
      hosts: ['127.0.0.1'],
    },
    channelOptions: {
      'grpc.service_config': JSON.stringify(SERVICE_CONFIG),
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
    },
  };
}
