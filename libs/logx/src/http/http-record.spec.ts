import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { remoteOf } from './http-record.js';

const remote = (remoteAddress: string | undefined): string =>
  remoteOf({ remoteAddress, remotePort: 4711 } as Socket);

describe('remoteOf', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1:4711'],
    // What a socket of `::` has for a peer of IPv4.
    ['::ffff:10.0.0.1', '10.0.0.1:4711'],
    ['::1', '[::1]:4711'],
    ['2001:db8::ffff:7', '[2001:db8::ffff:7]:4711'],
    [undefined, ''],
  ])('gives the peer %s as %j', (address, text) => {
    expect(remote(address)).toBe(text);
  });

  it('remembers it, as a closed socket does not know any more', () => {
    const socket = { remoteAddress: '10.0.0.1', remotePort: 1 };
    expect(remoteOf(socket as Socket)).toBe('10.0.0.1:1');
    expect(remoteOf(Object.assign(socket, { remoteAddress: undefined }))).toBe('10.0.0.1:1');
  });
});
