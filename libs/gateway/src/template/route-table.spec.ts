import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { captureVariables } from '../request/path.js';
import { type PathTemplate, parsePathTemplate } from './path-template.js';
import { RouteTable } from './route-table.js';

function tableOf(...routes: readonly string[]): RouteTable<string> {
  const table = new RouteTable<string>();
  for (const route of routes) {
    const [method, path] = route.split(' ');
    table.add(method!, parsePathTemplate(path!), route);
  }
  return table;
}

function split(request: string): [method: string, path: string] {
  const [method = '', path = ''] = request.split(' ');
  return [method, path];
}

function routeFor(table: RouteTable<string>, request: string): string | undefined {
  const match = table.match(...split(request));
  return match?.kind === 'route' ? match.route : undefined;
}

describe('RouteTable', () => {
  it.each([
    ['a literal before a wildcard', 'GET /v1/me', 'GET /v1/{id}', 'GET /v1/me'],
    ['a wildcard before a double one', 'GET /v1/{id}', 'GET /v1/**', 'GET /v1/x'],
    ['the leftmost difference', 'GET /a/*', 'GET /*/b', 'GET /a/b'],
    ['a verb before none', 'GET /v1/{id}:go', 'GET /v1/{id}', 'GET /v1/x:go'],
    ['a verb before a literal without', 'GET /v1/**:go', 'GET /v1/{id}', 'GET /v1/x:go'],
    ['the named method before any', 'GET /v1/x', '* /v1/x', 'GET /v1/x'],
    ['the path before the method', '* /v1/x', 'GET /v1/*', 'GET /v1/x'],
    ['HEAD itself before GET', 'HEAD /v1/x', 'GET /v1/x', 'HEAD /v1/x'],
  ])('prefers %s, in whatever order they were added', (_what, winner, loser, request) => {
    expect(routeFor(tableOf(winner, loser), request)).toBe(winner);
    expect(routeFor(tableOf(loser, winner), request)).toBe(winner);
  });

  it.each([
    ['GET /v1/x', 'GET /v1/x'],
    ['GET /v1/*', 'GET /v1/x'],
    ['GET /v1/*', 'GET /v1/x:y'],
    ['GET /v1/*', 'GET /v1/x%2Fy'],
    ['GET /v1/**', 'GET /v1'],
    ['GET /v1/**', 'GET /v1/'],
    ['GET /v1/**', 'GET /v1/a/b//c'],
    ['GET /', 'GET /'],
    ['GET /**', 'GET /'],
    ['POST /v1/{id}:go', 'POST /v1/a:b:go'],
    ['POST /v1/**:go', 'POST /v1/a/b:go'],
    ['GET /v1/x', 'HEAD /v1/x'],
    ['GET /v1/caf%C3%A9', 'GET /v1/caf%C3%A9'],
    ['GET /v1/caf%c3%a9', 'GET /v1/caf%C3%A9'],
    ['GET /v1/%41', 'GET /v1/A'],
    ['GET /v1/a%3Ab', 'GET /v1/a%3Ab'],
    ['GET /v1/{name=my%20shelves/*}', 'GET /v1/my%20shelves/%61'],
    ['POST /v1/{id}:%67o%20on', 'POST /v1/a:go%20on'],
    ['GET /v1/{id}', 'GET /v1/a:'],
    ['GET /v1/{id}', 'GET /v1/%61'],
  ])('%s matches %s', (route, request) => {
    expect(routeFor(tableOf(route), request)).toBe(route);
  });

  it.each([
    ['GET /v1/x', 'GET /v1/X'],
    ['GET /v1/x', 'GET /v1/x/'],
    ['GET /v1/*', 'GET /v1'],
    ['GET /v1/*', 'GET /v1/'],
    ['GET /v1/*', 'GET /v1/a/b'],
    ['GET /v1/*', 'GET //v1/a'],
    ['GET /v1/**', 'GET /v2/a'],
    ['POST /v1/{id}:go', 'POST /v1/a:stop'],
    ['POST /v1/{id}:go', 'POST /v1/a%3Ago'],
    ['POST /v1/{id}:go', 'POST /v1/:go'],
    ['GET /v1/x', 'get /v1/x'],
    ['GET /v1/x', 'GET /v1/x:'],
    ['GET /v1/x', 'GET /v1/x::'],
    ['GET /v1/x', 'GET /v1/%78'],
    ['GET /v1/x', 'GET /%761/x'],
    ['GET /v1/@me', 'GET /v1/%40me'],
    ['GET /v1/a%3Ab', 'GET /v1/a:b'],
    ['GET /v1/caf%C3%A9', 'GET /v1/caf%c3%a9'],
    ['GET /v1/caf%c3%a9', 'GET /v1/caf%c3%a9'],
    ['GET /v1/{name=shelves/*}', 'GET /v1/shelve%73/1'],
    ['POST /v1/{id}:go', 'POST /v1/a:%67o'],
    ['POST /v1/{id}:go', 'POST /v1/a:go:'],
  ])('%s does not match %s', (route, request) => {
    expect(routeFor(tableOf(route), request)).toBeUndefined();
  });

  it('tells which methods a path has when the asked one is not among them', () => {
    const table = tableOf('GET /v1/x', 'PUT /v1/*', 'DELETE /v1/**', 'POST /v2/x');
    expect(table.match('PATCH', '/v1/x')).toEqual({
      kind: 'other-methods',
      allowed: ['DELETE', 'GET', 'HEAD', 'PUT'],
    });
    expect(table.match('PATCH', '/v3/x')).toBeUndefined();
  });

  it.each([
    ['a variable', 'GET /v1/me', 'GET /v1/{id}', 'GET /v1/m%65'],
    ['a variable of an earlier segment', 'GET /v1/me/a', 'GET /v1/{id}/{part}', 'GET /v1/me/%61'],
    ['a path without a verb', 'GET /v1/{id}:go', 'GET /v1/{id}', 'GET /v1/a:%67o'],
    ['the rest of a path', 'GET /v1/me', 'GET /**', 'GET /%76%31/me'],
    ['any method', 'GET /v1/me', '* /v1/{id}', 'GET /v1/m%65'],
  ])('leaves a literal that is spelt otherwise not to %s', (_what, literal, other, request) => {
    expect(tableOf(literal, other).match(...split(request))).toBeUndefined();
    expect(routeFor(tableOf(other), request)).toBe(other);
  });

  it('tells no methods of a path that is spelt otherwise', () => {
    expect(tableOf('POST /v1/x').match('GET', '/v1/%78')).toBeUndefined();
    expect(tableOf('POST /v1/x:go').match('GET', '/v1/x:%67o')).toBeUndefined();
  });

  it('names the route that has the same method and shape already', () => {
    const table = tableOf('GET /v1/{a}/b');
    expect(table.add('GET', parsePathTemplate('/v1/{name=*}/b'), 'new')).toBe('GET /v1/{a}/b');
    expect(table.add('PUT', parsePathTemplate('/v1/{name=*}/b'), 'new')).toBeUndefined();
  });

  it('takes time in proportion to the routes, not to the paths through them', () => {
    const table = tableOf(`GET ${'/*'.repeat(60)}/end`, `GET ${'/a'.repeat(60)}/end`);
    expect(table.match('GET', `${'/a'.repeat(60)}/nowhere`)).toBeUndefined();
  });
});

describe('captureVariables', () => {
  it.each([
    ['/v1/{id}', '/v1/a', ['a']],
    ['/v1/{id}', '/v1/a%2Fb%20c', ['a/b c']],
    ['/v1/{id}', '/v1/a+b', ['a+b']],
    ['/v1/{name=shelves/*}', '/v1/shelves/1', ['shelves/1']],
    ['/v1/{name=shelves/*}', '/v1/shelves/a%2Fb%20c', ['shelves/a%2Fb c']],
    ['/v1/{name=shelves/*}', '/v1/shelves/a%2fb', ['shelves/a%2fb']],
    ['/v1/{name=**}', '/v1/a/b%C3%A9', ['a/bé']],
    ['/v1/{name=**}', '/v1', ['']],
    ['/v1/{name=a/**}', '/v1/a', ['a']],
    ['/{a}/x/{b=y/**}', '/1/x/y/2/3', ['1', 'y/2/3']],
    ['/v1/{id}', '/v1/__proto__', ['__proto__']],
  ])('%s takes from %s %p', (template, path, values) => {
    expect(captureVariables(parsePathTemplate(template), path.slice(1).split('/'))).toEqual(values);
  });

  it.each(['/v1/%', '/v1/%zz', '/v1/%ff', '/v1/%C3', '/v1/..', '/v1/%2e%2E', '/v1/.'])(
    'refuses %s',
    (path) => {
      const template = parsePathTemplate('/v1/{id}');
      expect(() => captureVariables(template, path.slice(1).split('/'))).toThrow(URIError);
    },
  );
});

/** The specification read literally: does one template match, segment against segment? */
function matchesNaively(template: PathTemplate, path: readonly string[], verb: string): boolean {
  if ((template.verb ?? '') !== verb) return false;
  return template.segments.every((segment, index) => {
    if (segment.kind === 'rest') return true;
    const text = path[index];
    if (text === undefined) return false;
    return segment.kind === 'one' ? text !== '' : segment.text === text;
  })
    ? path.length === template.segments.length || template.segments.at(-1)?.kind === 'rest'
    : false;
}

const RANK = { literal: 0, one: 1, rest: 2 } as const;

/** One digit a segment, most significant first; an ended template ranks like a literal. */
function rank(template: PathTemplate): string {
  return template.segments.map((segment) => RANK[segment.kind]).join('');
}

const segmentText = fc.constantFrom('a', 'b', 'c', '');
const template = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    fc.constantFrom('', ':v', ':w'),
  )
  .map(([parts, rest, verb]) => `/${[...parts, ...(rest ? ['**'] : [])].join('/')}${verb}`);

describe('RouteTable against a matcher that tries every template', () => {
  it('finds the best of the templates that match, and none where none matches', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(template, { minLength: 1, maxLength: 12 }),
        fc.array(segmentText, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('', ':v', ':w'),
        (sources, path, verb) => {
          const templates = sources.map(parsePathTemplate);
          const table = new RouteTable<PathTemplate>();
          for (const it of templates) table.add('GET', it, it);
          const found = table.match('GET', `/${path.join('/')}${verb}`);

          const withVerb = templates.filter((it) => matchesNaively(it, path, verb.slice(1)));
          const whole = [...path.slice(0, -1), `${path.at(-1)}${verb}`];
          const plain = templates.filter((it) => matchesNaively(it, whole, ''));
          const candidates = verb !== '' && withVerb.length > 0 ? withVerb : plain;
          const best = candidates.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
          expect(found?.kind === 'route' ? found.route.source : undefined).toBe(best?.source);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
