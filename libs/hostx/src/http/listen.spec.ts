import { describe, expect, it } from '@jest/globals';
import { type Endpoint, listenError } from './listen.js';

describe('a failure to listen', () => {
  it.each<[string, Endpoint, string]>([
    [
      'EINVAL',
      { fd: 3, name: 'web' },
      'cannot listen on the activated socket web (fd 3): no; it must be a listening stream socket, ' +
        'and can be used by one start only',
    ],
    [
      'EADDRINUSE',
      { port: 80, host: undefined },
      'any address, port 80 is in use; stop the process that listens there, or choose another port ' +
        '(0 picks a free one)',
    ],
    [
      'EACCES',
      { port: 80, host: '::' },
      'not permitted to listen on ::, port 80; choose a port of at least 1024, or grant the permission',
    ],
    [
      'EADDRNOTAVAIL',
      { port: 80, host: '::' },
      '::, port 80: this machine does not have this address',
    ],
    ['ENOTFOUND', { port: 80, host: 'a' }, 'a, port 80: the host name is unknown'],
    ['EOTHER', { port: 80, host: 'a' }, 'cannot listen on a, port 80: no'],
  ])('by %s says what stands in the way: %j', (code, endpoint, why) => {
    const cause = Object.assign(new Error('no'), { code });
    const error = listenError(cause, endpoint, 'shop');
    expect([error.message, error.cause]).toEqual([`hostx: http service shop: ${why}`, cause]);
  });
});
