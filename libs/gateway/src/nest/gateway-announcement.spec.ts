import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { GatewayAnnouncement } from './gateway-announcement.js';

type Made = ConstructorParameters<typeof GatewayAnnouncement>;

/** What is logged at the start of a gateway with so many rules and methods. */
function said(rules: number, methods: number, protocols: readonly string[]): unknown {
  const log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
  const gateway = {
    bindings: Array.from({ length: rules }),
    methods: Array.from({ length: methods }),
    protocols: new Set(protocols),
  };
  const parts = [{ webSockets: {} }, gateway, { choose: () => ({ transport: 'stack' }) }, {}];
  new GatewayAnnouncement(...(parts as unknown as Made)).onApplicationBootstrap();
  const [[line] = []] = log.mock.calls;
  log.mockRestore();
  return line;
}

describe('the line of a gateway that starts', () => {
  it.each<[number, number, string[], string]>([
    [1, 0, ['rest'], '1 HTTP rule calls the gRPC server in this process'],
    [2, 0, ['rest'], '2 HTTP rules call the gRPC server in this process'],
    [1, 1, ['rest', 'connect'], '1 HTTP rule, and 1 method by connect, call'],
    [2, 3, ['rest', 'connect', 'grpc'], '2 HTTP rules, and 3 methods by connect, grpc, call'],
    [0, 1, ['connect'], '1 method by connect, calls'],
    [0, 2, ['connect'], '2 methods by connect, call'],
  ])('counts %d rules and %d methods by %j', (rules, methods, protocols, text) => {
    expect(said(rules, methods, protocols)).toMatch(new RegExp(`^${text}`));
  });
});
