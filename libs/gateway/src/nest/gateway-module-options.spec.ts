import { IN_PROCESS_SERVER, type InProcessServer } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { type GatewayModuleOptions, chooseServer } from './gateway-module-options.js';

const server: InProcessServer = {
  [IN_PROCESS_SERVER]: true,
  serves: () => true,
  clientInterceptor: () => undefined,
};

describe('chooseServer', () => {
  it.each<[string, GatewayModuleOptions, string]>([
    ['the server of this app by default', {}, 'in-process'],
    ['it in-process where that is asked for', { transport: 'in-process' }, 'in-process'],
    ['that even beside an endpoint', { transport: 'in-process', endpoint: 'a:1' }, 'in-process'],
    ['the endpoint where there is one', { endpoint: 'a:1' }, 'a:1'],
    ['the endpoint by function', { endpoint: () => 'b:2' }, 'b:2'],
    ['the network where that is asked for', { transport: 'network', endpoint: 'a:1' }, 'a:1'],
  ])('calls %s', (_what, options, target) => {
    expect(chooseServer(options, [server])).toEqual(
      target === 'in-process'
        ? { transport: 'in-process', server }
        : { transport: 'network', endpoint: target },
    );
  });

  it.each<[GatewayModuleOptions, RegExp]>([
    [{ transport: 'network' }, /^gateway: endpoint: transport "network" needs one/],
    [{}, /no gRPC server to call/],
    [{ transport: 'in-process', endpoint: 'a:1' }, /no gRPC server to call/],
  ])('refuses %j where the app has no server', (options, message) => {
    expect(() => chooseServer(options, [])).toThrow(message);
  });
});
