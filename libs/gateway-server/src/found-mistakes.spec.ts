import { GatewayConfigError } from '@apix/gateway/core';
import { describe, expect, it } from '@jest/globals';
import { GatewayServerError } from './errors.js';
import { FoundMistakes } from './found-mistakes.js';

const throwing = (error: unknown) => (): never => {
  throw error;
};

describe('mistakes of several parts', () => {
  it('are said together, by the names of settings', () => {
    const mistakes = new FoundMistakes();
    expect(mistakes.part(() => 1)).toBe(1);
    expect(
      mistakes.part(throwing(new GatewayServerError(['tls-key: a', 'jwks: b']))),
    ).toBeUndefined();
    const options = ['forwardHeaders: c', 'maxTimeout: d', 'trustProxy: e', 'maxBodyBytes: f'];
    options.push('allowedOrigins[0]: h', 'authorization.resource: i', 'Shop.binpb: j');
    mistakes.part(throwing(new GatewayConfigError(options)));
    mistakes.part(throwing(new Error('g')));
    const lines = [
      'gateway-server: 10 mistakes:',
      'tls-key: a',
      'jwks: b',
      'forward-header: c',
      'max-timeout: d',
      'trust-proxy: e',
      'max-body-bytes: f',
      'mcp-origin[0]: h',
      'mcp-resource: i',
      'Shop.binpb: j',
      'g',
    ];
    expect(() => mistakes.throwIfAny()).toThrow(lines.join('\n  '));
  });

  it('are none where every part is well', () => {
    expect(() => new FoundMistakes().throwIfAny()).not.toThrow();
  });
});
