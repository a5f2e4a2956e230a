import 'reflect-metadata';
import { startHost } from '@apix/hostx/testing';
import { describe, expect, it } from '@jest/globals';
import { call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { ObservableController, probeApp, overEachStack } from '../probe.fixture.js';
import { GrpcServer } from './grpc-server.js';

const [Unary] = probe.services[0]!.methods;

overEachStack(() => {
  describe('the drain of the gRPC server', () => {
    it('goes on accepting for the delay of the host, also in an app without HTTP', async () => {
      const delay = 300;
      const host = await startHost(probeApp([ObservableController]), {
        http: false,
        drain: { delay },
      });
      const { address } = host.app!.get(GrpcServer);
      const begun = performance.now();
      const stopped = host.stop();
      const answer = await call(clientOf(address), Unary, [{ stringValue: 'a' }]);
      expect(answer.status).toBe('OK');
      expect(await stopped).toBeUndefined();
      expect(performance.now() - begun).toBeGreaterThanOrEqual(delay - 1);
      expect((await call(clientOf(address), Unary, [{}])).status).toBe('UNAVAILABLE');
    });
  });
});
