import 'reflect-metadata';
import { AuthzModule, type Subject, type SubjectFunc } from '@apix/authz';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule, GrpcService } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { type CancelOrderRequest, Orders } from '../src/gen/shop/v1/orders_pb.js';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

const ROOT: Subject = { roles: ['admin'], permissions: ['orders:write'] };

/** An app behind a proxy that says in X-User who calls, and strips what callers send there. */
const subject: SubjectFunc = ({ metadata }) => {
  const [user] = metadata.get('x-user');
  if (user === undefined) return null;
  return user === 'root' ? ROOT : { roles: [], permissions: [] };
};

@GrpcService(Orders)
class CancelController {
  cancel({ name }: CancelOrderRequest) {
    return { name };
  }
}

@Module({
  imports: [
    HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
    ProtoModule.forRoot({ descriptors: PLAIN_SHOP }),
    AuthzModule.forRoot({ subject }),
    GrpcModule.forRoot({ port: 0 }),
    GatewayModule.forRoot({ mount: '/', forwardHeaders: ['x-user'] }),
  ],
  controllers: [CancelController],
})
class ProxiedModule {}

describe('a subject function that trusts a forwarded header', () => {
  let stop: () => Promise<unknown> = () => Promise.resolve();
  afterEach(() => stop());

  it.each<[Record<string, string>, number]>([
    [{ 'X-User': 'root' }, 200],
    [{ 'X-User': 'ada' }, 403],
    [{}, 401],
    [{ 'Grpc-Metadata-X-User': 'root' }, 400],
    [{ 'X-User': 'ada', 'Grpc-Metadata-X-User': 'root' }, 400],
    [{ 'Grpc-Metadata-X_User': 'root' }, 400],
    [{ 'Grpc-Metadata-Grpc-Metadata-X-User': 'root' }, 400],
  ])('is not deceived by callers: %j gives %i', async (headers, status) => {
    const started = await startHost(ProxiedModule, { http: { port: 0, host: '127.0.0.1' } });
    stop = started.stop;
    const url = `${await started.app!.getUrl()}/v1/orders/1001:cancel`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
    expect(answer.status).toBe(status);
  });
});
