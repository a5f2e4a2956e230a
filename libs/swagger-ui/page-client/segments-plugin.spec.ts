import { describe, expect, it } from '@jest/globals';
import { SegmentPaths, restoreIn } from './segments-plugin.js';
import type { CallRequest, System } from './swagger-ui.js';

describe('the URL of a call', () => {
  it.each([
    ['/v1/files/{path}', ['path'], '/v1/files/a%2Fb%2fc', '/v1/files/a/b/c'],
    ['/v1/files/{path}', ['path'], '/v1/files/a%2Fb?c=d%2Fe', '/v1/files/a/b?c=d%2Fe'],
    ['/v1/files/{path}', ['path'], '/v1/files/a%252Fb', '/v1/files/a%252Fb'],
    ['/v1/{one}/{rest}:look', ['rest'], '/v1/x%2Fy/a%2Fb:look', '/v1/x%2Fy/a/b:look'],
    ['/v1/{rest}/x/{one}', ['rest'], '/v1/a%2Fb/x/c%2Fd', '/v1/a/b/x/c%2Fd'],
    ['/v1/files/{path}', ['path'], '/v1/others/a%2Fb', '/v1/others/a%2Fb'],
    ['/v1.0/(a)/{path}', ['path'], '/v1.0/(a)/b%2Fc', '/v1.0/(a)/b/c'],
    ['/v1.0/{path}', ['path'], '/v1x0/b%2Fc', '/v1x0/b%2Fc'],
  ])('of %s, several segments in %j: %s becomes %s', (path, names, url, expected) => {
    const host = 'https://shop.example/api';
    expect(restoreIn(path, new Set(names))(host + url)).toBe(host + expected);
  });

  it('is as it was until a call of that path is made', () => {
    const paths = new SegmentPaths();
    const url = '/v1/files/a%2Fb';
    expect(paths.intercept({ url })).toEqual({ url });
    const parameters = [{ name: 'path', 'x-several-segments': true as const }, { name: 'other' }];
    const spec = { paths: { '/v1/files/{path}': { get: { parameters } } } };
    const request: CallRequest = { pathName: '/v1/files/{path}', method: 'get', spec };
    const { statePlugins } = paths.plugin({} as System) as {
      statePlugins: { spec: { wrapActions: { executeRequest: Wrap } } };
    };
    const made: CallRequest[] = [];
    statePlugins.spec.wrapActions.executeRequest((one) => made.push(one))(request);
    expect(made).toEqual([request]);
    expect(paths.intercept({ url })).toEqual({ url: '/v1/files/a/b' });
  });
});

type Wrap = (execute: (request: CallRequest) => unknown) => (request: CallRequest) => unknown;
