import { describe, expect, it } from '@jest/globals';
import { isKeyOfOneCall, isTransportKey } from './reserved-keys.js';

const UNSENDABLE = [
  ':path',
  ':status',
  '__proto__',
  'connection',
  'content-length',
  'content-type',
  'grpc-accept-encoding',
  'grpc-encoding',
  'grpc-message',
  'grpc-status',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
];
const OF_ONE_CALL = [
  'content-encoding',
  'date',
  'grpc-status-details-bin',
  'grpc-timeout',
  'host',
  'trailer',
  'user-agent',
];
const FREE = ['authorization', 'hostname', 'retry-pushback-ms', 'tenant', 'x-grpc-status'];

describe('a metadata key', () => {
  it.each(UNSENDABLE)('%s is neither sent nor passed on', (key) => {
    expect([isTransportKey(key), isKeyOfOneCall(key)]).toEqual([true, true]);
  });

  it.each(OF_ONE_CALL)('%s is sent, and not passed on from another call', (key) => {
    expect([isTransportKey(key), isKeyOfOneCall(key)]).toEqual([false, true]);
  });

  it.each(FREE)('%s is sent and passed on', (key) => {
    expect([isTransportKey(key), isKeyOfOneCall(key)]).toEqual([false, false]);
  });
});
