import { readFileSync } from 'node:fs';
import { POLICY_SOURCE } from '@apix/contracts';
import { unreadableValues } from '@apix/contracts/testing';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { TRANSCODING } from '../fixtures/echo-server.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { GatewayServer } from './gateway-server.js';
import { GatewayModule } from './gateway.module.js';

it('the OpenAPI document is answered with 500 whatever a policy source throws, and with 406 if JSON is refused', async () => {
  let thrown: unknown;
  const policies = {
    [POLICY_SOURCE]: true,
    policyOf: () => {
      throw thrown;
    },
  };
  @Module({
    imports: [
      HostxModule.forRoot(),
      ProtoModule.forRoot({ descriptors: new Uint8Array(readFileSync(TRANSCODING)) }),
      GatewayModule.forRoot({
        endpoint: '127.0.0.1:1',
        port: 0,
        host: '127.0.0.1',
        openapi: { path: '/openapi.json' },
        http: { drain: { delay: 0 } },
      }),
    ],
    providers: [{ provide: 'policies', useValue: policies }],
  })
  class App {}
  const host = await startHost(App);
  const port = Number(host.app?.get(GatewayServer).addr.split(':').at(-1));
  const answers: unknown[] = [];
  for (const [, value] of unreadableValues()) {
    thrown = value;
    answers.push((await ask(port, '/openapi.json')).json);
  }
  const accept = 'application/json;q=0';
  const refused = await ask(port, '/openapi.json', { headers: { accept } });
  await host.stop();
  expect(refused.status).toBe(406);
  const internal = expect.objectContaining({ code: 'INTERNAL', detail: 'internal error' });
  expect(answers).toEqual(unreadableValues().map(() => internal));
});
