import { describe, expect, it } from '@jest/globals';
import { welcomeText } from '../../apps/demo/src/welcome/welcome-text.js';
import { addressesIn } from './shop-process.js';

const SHOP = {
  http: 'http://localhost:3000',
  grpc: 'localhost:50051',
  payments: '127.0.0.1:50052',
  plain: 'a.b.c',
  admin: 'd.e.f',
  office: 'office:secret',
};

describe('the addresses of a shop', () => {
  it('are those that it prints', () => {
    expect(addressesIn(`{"level":"info"}\n${welcomeText(SHOP)}`)).toEqual({
      http: SHOP.http,
      grpc: SHOP.grpc,
      ada: 'Bearer a.b.c',
      grace: 'Bearer d.e.f',
      office: SHOP.office,
    });
  });

  it('are missed by name', () => {
    expect(() => addressesIn('REST http://localhost:3000')).toThrow(/did not print \/.*gRPC/);
  });
});
