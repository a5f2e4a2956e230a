import { IN_PROCESS_SERVER, Mistakes } from '@apix/contracts';
import type { InProcessServer } from '@apix/calls';
import { readOptions } from '@apix/contracts/internal';
import { unreadableValues } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import {
  type GatewayModuleOptions,
  chooseServer,
  MODULE_OPTIONS,
} from './gateway-module-options.js';

const server: InProcessServer = {
  [IN_PROCESS_SERVER]: true,
  serves: () => true,
  open: () => ({}) as never,
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

  it.each(unreadableValues())('reports a function for the endpoint that throws %s', (_, thrown) => {
    const endpoint = (): never => {
      throw thrown;
    };
    expect(() => chooseServer({ endpoint }, [])).toThrow(/^gateway: endpoint: ./);
  });

  it.each([[''], [undefined], [5]])('refuses the endpoint %p of a function', (given) => {
    const endpoint = (() => given) as () => string;
    const message = /^gateway: endpoint: must return a non-empty string, not /;
    expect(() => chooseServer({ endpoint }, [])).toThrow(message);
  });
});

describe('the table of the options', () => {
  it('notes a connection that cannot be used, before there is one', () => {
    const mistakes = new Mistakes();
    const options = { credentials: 1, channelOptions: 2, connectTimeout: 0 };
    readOptions(MODULE_OPTIONS, options, '', mistakes);
    expect(mistakes.found).toEqual([
      'credentials: must be ChannelCredentials of @grpc/grpc-js, not 1',
      'channelOptions: must be an object, not 2',
      'connectTimeout: must be greater than 0, not 0',
    ]);
  });
});
