import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVERY_POLICY, type ServiceSpec, policySet } from '../policy-set.fixture.js';
import { authzCommand } from './authz-command.js';

const CASES = `
callers:
  nobody: null
  clerk: { roles: [staff] }
  boss: { roles: [admin], permissions: [orders:read, orders:write] }
cases:
  - { method: /test.Orders/Own, allowed: [boss], denied: [nobody, clerk] }
  - { method: /test.Orders/Default, allowed: [clerk], denied: [boss] }
  - { method: /test.Bare/*, allowed: [nobody] }
`;

let folder: string;
let set: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apix-authz-'));
  set = descriptors('shop.binpb', EVERY_POLICY);
});
afterAll(() => rmSync(folder, { recursive: true }));

function descriptors(name: string, services: Readonly<Record<string, ServiceSpec>>): string {
  const file = join(folder, name);
  writeFileSync(file, policySet(services));
  return file;
}

function run(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const said = { out: '', err: '' };
  const code = authzCommand(args, {
    read: (file) => files[file] ?? '',
    print: (text) => (said.out += text),
    complain: (text) => (said.err += text),
  });
  return { code, ...said };
}

describe('apix-authz report', () => {
  it('lists every method with its policy', () => {
    expect(run(['report', set])).toEqual({
      code: 0,
      err: '',
      out: [
        'method                 who may call it',
        '/test.Orders/Own       roles: any of admin, owner',
        '/test.Orders/Default   roles: any of staff',
        '/test.Orders/Public    public',
        '/test.Orders/Empty     any authenticated caller',
        '/test.Orders/Compound  roles: any of admin and none of suspended; ' +
          'permissions: all of orders:read, orders:write',
        '/test.Bare/Nothing     no policy: open to all',
        '',
      ].join('\n'),
    });
  });

  it.each([
    [['--unannotated', 'deny'], 'no policy: closed'],
    [['--unannotated', 'deny', '--exempt', '/test.Bare/*'], 'no policy: exempt'],
  ])('with %j shows a method without policy as "%s"', (options, text) => {
    expect(run(['report', set, ...options]).out).toContain(`/test.Bare/Nothing     ${text}\n`);
  });

  it('can be Markdown', () => {
    const { out } = run(['report', set, '--format', 'markdown']);
    expect(out).toContain('| method | who may call it |\n| --- | --- |\n');
    expect(out).toContain('| /test.Orders/Public | public |\n');
  });

  it('can be JSON', () => {
    const { out } = run(['report', set, '--format', 'json']);
    expect(JSON.parse(out)).toContainEqual({
      method: '/test.Orders/Default',
      exempt: false,
      policy: { kind: 'protected', roles: { anyOf: ['staff'], allOf: [], noneOf: [] } },
    });
  });
});

describe('apix-authz check', () => {
  it('is content with sound policies', () => {
    expect(run(['check', set])).toEqual({ code: 0, err: '', out: '6 methods: no findings\n' });
  });

  it('--deny-unannotated names methods without a policy', () => {
    const { code, out } = run(['check', set, '--deny-unannotated']);
    expect([code, out.split('\n')[0]]).toEqual([
      1,
      '/test.Bare/Nothing has no policy; add one to it or to its service, or exempt it',
    ]);
    expect(run(['check', set, '--deny-unannotated', '--exempt', '/test.Bare/Nothing']).code).toBe(
      0,
    );
  });

  it('--cases reads a table of JSON, which may have comments, and names the line of a mistake', () => {
    const json = `{"callers": {"nobody": null}, // anyone
      "cases": [{"method": "/test.Bare/*", "allowed": ["nobody"]}]}`;
    expect(run(['check', set, '--cases', 'a.json'], { 'a.json': json }).code).toBe(0);
    const wrong = run(['check', set, '--cases', 'a.json'], {
      'a.json': '{\n"cases": [],\n"cases": []}',
    });
    expect(wrong.err).toContain('a.json:3: "cases" is already set in line 2');
  });

  it('--cases compares the policies with a table', () => {
    expect(run(['check', set, '--cases', 'a.yaml'], { 'a.yaml': CASES })).toEqual({
      code: 0,
      err: '',
      out: '6 methods, 6 cases of a.yaml: no findings\n',
    });
  });

  it.each([
    [
      '  - { method: /test.Orders/Own, allowed: [clerk] }',
      '/test.Orders/Own: clerk should be allowed but is denied: roles: has none of "admin", "owner"',
    ],
    [
      '  - { method: /test.Orders/Compound, allowed: [clerk] }',
      '/test.Orders/Compound: clerk should be allowed but is denied: roles: has none of "admin"; ' +
        'permissions: lacks "orders:read", "orders:write"',
    ],
    [
      '  - { method: /test.Orders/Public, denied: [nobody] }',
      '/test.Orders/Public: nobody should be denied but is allowed',
    ],
    [
      '  - { method: /test.Orders/Empty, allowed: [nobody] }',
      '/test.Orders/Empty: nobody should be allowed but is denied: anonymous',
    ],
    [
      '  - { method: /test.Orders/Owm, allowed: [boss] }',
      '/test.Orders/Owm: the descriptors have no such method',
    ],
    ['complete: true', '/test.Orders/Compound: has no case'],
  ])('says what differs from "%s"', (line, failure) => {
    const { code, out } = run(['check', set, '--cases', 'a.yaml'], { 'a.yaml': CASES + line });
    expect(code).toBe(1);
    expect(out).toContain(`a.yaml: ${failure}\n`);
  });

  it('lists every mistake of a table at once', () => {
    const table = `
callers: { a: { role: [x] }, b: 7 }
cases:
  - { method: /test.Orders/Own }
  - { method: 3, allowed: [c], denied: x }
complete: yes please
more: 1
`;
    const { code, err } = run(['check', set, '--cases', 'a.yaml'], { 'a.yaml': table });
    expect([code, err.trimEnd().split('\n')]).toEqual([
      2,
      [
        'apix-authz check: a.yaml: 8 mistakes:',
        '  callers.a.role: is not known here; did you mean roles?',
        '  callers.b: must be an object, not 7',
        '  cases[1].method: must be /pkg.Service/Method, not 3',
        '  cases[1].denied: must be an array of strings, not "x"',
        '  complete: must be true or false, not "yes please"',
        '  more: is not known here; use one of callers, cases, complete',
        '  cases[0]: needs a caller in allowed, denied or hidden',
        '  cases[1]: callers has no "c"',
      ],
    ]);
  });
});

describe('apix-authz diff', () => {
  let next: string;
  beforeAll(() => {
    const { Own: _gone, ...methods } = EVERY_POLICY['Orders']!.methods;
    next = descriptors('next.binpb', {
      Orders: {
        default: { roles: { anyOf: ['staff', 'guest'] } },
        methods: { ...methods, Empty: { requires: { public: true } } },
      },
      Bare: { methods: { Nothing: { requires: {} } } },
    });
  });

  it('says who gained and who lost access, and nothing of what is as it was', () => {
    expect(run(['diff', set, next])).toEqual({
      code: 0,
      err: '',
      out: `/test.Orders/Own
  before  roles: any of admin, owner
  after   (removed)
  lost    roles admin
  lost    roles owner

/test.Orders/Default
  before  roles: any of staff
  after   roles: any of staff, guest
  gained  roles guest

/test.Orders/Empty
  before  any authenticated caller
  after   public
  gained  anonymous callers

/test.Bare/Nothing
  before  no policy: open to all
  after   any authenticated caller
  lost    anonymous callers
`,
    });
  });

  it.each([
    ['never', 0],
    ['gained', 1],
    ['lost', 1],
    ['any', 1],
  ])('--fail-on %s ends with %d', (what, code) => {
    expect(run(['diff', set, next, '--fail-on', what]).code).toBe(code);
    expect(run(['diff', set, set, '--fail-on', what])).toMatchObject({
      code: 0,
      out: 'no policy changed\n',
    });
  });

  it('can be Markdown, for a comment on a change', () => {
    expect(run(['diff', set, next, '--format', 'markdown']).out).toContain(
      '| /test.Orders/Own | roles: any of admin, owner | removed |  | roles admin; roles owner |\n',
    );
  });

  it('takes exempt methods that one of the sets lacks', () => {
    expect(run(['diff', set, next, '--exempt', '/test.Orders/Own']).code).toBe(0);
  });
});

describe('apix-authz explain', () => {
  it.each([
    [['--roles', 'owner'], 0, 'roles owner: allowed\n  + roles: any_of "admin", "owner" passes\n'],
    [
      ['--permissions', ''],
      1,
      'any authenticated caller: denied, PERMISSION_DENIED\n  - roles: has none',
    ],
    [[], 1, 'an anonymous caller: denied, UNAUTHENTICATED\n'],
  ])('with %j ends with %d', (who, code, text) => {
    const said = run(['explain', set, 'test.Orders/Own', ...who]);
    expect(said).toMatchObject({ code, out: expect.stringContaining(text) });
    expect(said.out).toContain('/test.Orders/Own: roles: any of admin, owner\n');
  });
});

describe('apix-authz', () => {
  it.each([
    [[], 'the command must be one of report, check, diff, explain'],
    [['toString'], 'the command must be one of report'],
    [['report'], 'needs a descriptor set'],
    [['report', 'nowhere.binpb'], 'nowhere.binpb'],
    [
      ['report', 'SET', '--format', 'xml'],
      '--format: must be one of text, markdown, json, not "xml"',
    ],
    [['report', 'SET', '--unannotated', 'no'], '--unannotated: must be allow or deny, not "no"'],
    [['report', 'SET', '--nope'], '--nope'],
    [['check', 'SET', '--exempt', '/a.B/C'], '"/a.B/C" exempts nothing'],
    [['diff', 'SET'], 'needs two descriptor sets'],
    [
      ['explain', 'SET', '/other.Things/No'],
      'the descriptors have no method "/other.Things/No"; the command report lists all of them',
    ],
    [
      ['explain', 'SET', 'test.Oders/Own'],
      'the descriptors have no method "test.Oders/Own"; did you mean /test.Orders/Own?',
    ],
  ])('%j is a mistake, and it says which', (args, message) => {
    const { code, err, out } = run(args.map((arg) => (arg === 'SET' ? set : arg)));
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)]);
  });

  it('refuses policies that are wrong in themselves', () => {
    const wrong = descriptors('wrong.binpb', {
      A: { methods: { M: { requires: { public: true, roles: { anyOf: ['x'] } } } } },
    });
    expect(run(['check', wrong])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^apix-authz check: authz: rpc test\.A\.M, /),
    });
  });

  it('explains itself', () => {
    expect(run(['check', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('--deny-unannotated'),
    });
  });
});
