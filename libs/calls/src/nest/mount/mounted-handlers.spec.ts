import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import { MountedHandlers } from './mounted-handlers.js';

const REFUSED = new Error('refused');

/** What is called for a request, in its order. */
function calledFor(url: string): unknown[] {
  const called: unknown[] = [];
  const handlers = new MountedHandlers();
  handlers.all.push(
    {
      takes: new Set(['/tools']),
      handle: () => void called.push('tools'),
    },
    {
      takes: () => false,
      passes: (req) => req.url !== '/plain',
      handle: (req, _res, next) => {
        called.push('looked at');
        next?.(req.url === '/refused' ? REFUSED : undefined);
      },
    },
    {
      takes: (req) => req.url !== '/plain',
      handle: () => void called.push('rules'),
    },
  );
  handlers.serve({ url } as IncomingMessage, {} as ServerResponse, (error) =>
    called.push(error ?? 'app'),
  );
  return called;
}

it.each([
  ['/tools', ['tools']],
  ['/%74ools?x=1', ['tools']],
  ['http://shop/tools', ['tools']],
  // Without a host it is invalid.
  ['http:///tools', ['looked at', 'rules']],
  ['/tools/', ['looked at', 'rules']],
  ['/orders', ['looked at', 'rules']],
  ['/refused', ['looked at', REFUSED]],
  ['/plain', ['app']],
])(
  '%s is given to the handlers that it belongs to, in their order, and else to the app',
  (url, called) => {
    expect(calledFor(url)).toEqual(called);
  },
);
