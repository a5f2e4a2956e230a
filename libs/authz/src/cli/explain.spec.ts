import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { celConditions } from '../conditions/cel-conditions.js';
import { EVERY_POLICY, policySet } from '../policy-set.fixture.js';
import { fieldSetWith } from '../fields.fixture.js';
import { listsWith, recordsWith } from '../records.fixture.js';
import { authzCommand } from './authz-command.js';
import { diff } from './diff.js';
import { explain } from './explain.js';

let folder: string;
let set: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apix-authz-explain-'));
  set = join(folder, 'shop.binpb');
  writeFileSync(set, policySet(EVERY_POLICY));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the caller, as a command prints it', () => {
  const asked = (...who: string[]) => explain([set, '/test.Orders/Compound', ...who]);

  it.each([
    [['--roles', 'admin'], 'roles admin'],
    [['--permissions', 'orders:read'], 'permissions orders:read'],
    [['--roles', 'a, b', '--permissions', 'c,,d'], 'roles a, b with permissions c, d'],
  ])('for %j is "%s"', (who, text) => {
    expect(asked(...who).text).toContain(`\n${text}: denied, PERMISSION_DENIED\n`);
  });

  it('comes with every list of the policy, passed or not', () => {
    expect(asked('--roles', 'admin,suspended', '--permissions', 'orders:read')).toEqual({
      code: 1,
      text: `/test.Orders/Compound: roles: any of admin and none of suspended; permissions: all of orders:read, orders:write
roles admin, suspended with permissions orders:read: denied, PERMISSION_DENIED
  + roles: any_of "admin" passes
  - roles: has "suspended", which is not allowed
  - permissions: lacks "orders:write"
`,
    });
  });
});

describe('conditions, as the commands print them', () => {
  const records = fileURLToPath(new URL('../../testdata/records.binpb', import.meta.url));
  const aids = { conditions: celConditions() };
  const get = '/records.v1.Records/Get';
  const asked = (...more: string[]) => explain([records, get, '--roles', 'user', ...more], aids);

  it('show the values of their parts for a request and its record', () => {
    const given = ['--id', 'ada', '--request', '{"name":"a"}'];
    expect(asked(...given, '--resource', '{"owner":"eve"}')).toEqual({
      code: 1,
      text: `/records.v1.Records/Get: roles: any of user; owner: owns (owns: resource.owner == subject.id; resource: records.v1.Record by name)
roles user: denied, PERMISSION_DENIED
  + roles: any_of "user" passes
  - condition owner: is not met (resource.owner is 'eve', subject.id is 'ada')
`,
    });
    expect(asked(...given, '--resource', '{"owner":"ada"}').code).toBe(0);
  });

  it('ask for a request, and refuse what is not one', () => {
    expect(asked().text).toContain('depends on the request');
    expect(() => asked('--request', '{"nmae":1}')).toThrow(/request: is not a records\.v1\.Ask/);
    expect(() => asked('--request', '{')).toThrow(/--request: /);
    expect(() => asked('--resource', '{}')).toThrow(/needs a request/);
  });

  it('are a mistake without what evaluates them', () => {
    expect(() => explain([records, get])).toThrow(/conditions, which are not enabled/);
  });

  it('are decided in a table of cases', () => {
    let said = '';
    const cases = `
callers: {ada: {roles: [user], id: ada}, eve: {roles: [user], id: eve}}
cases:
  - {method: ${get}, allowed: [ada], denied: [eve], request: {name: a}, resource: {owner: ada}}
  - {method: ${get}, denied: [ada], request: {name: a}}
  - {method: ${get}, allowed: [eve], request: {name: a}, resource: {owner: ada}}
`;
    const print = (text: string): void => void (said += text);
    const io = { print, complain: print, read: () => cases, ...aids };
    expect([authzCommand(['check', records, '--cases', 'a.yaml'], io), said]).toEqual([
      1,
      `a.yaml: ${get}: eve should be allowed but is denied: condition owner: is not met (resource.owner is 'ada', subject.id is 'eve')
6 methods, 4 cases of a.yaml: 1 finding
`,
    ]);
  });

  it('are a gain of access for those whom they refused, once they are gone', () => {
    const open = join(folder, 'open.binpb');
    writeFileSync(
      open,
      toBinary(
        FileDescriptorSetSchema,
        create(FileDescriptorSetSchema, {
          file: [...recordsWith({ Spend: { requires: {} } }).files()],
        }),
      ),
    );
    const { text, code } = diff([records, open, '--fail-on', 'gained'], aids);
    expect([code, text]).toEqual([
      1,
      expect.stringContaining('gained  callers that the condition small refused'),
    ]);
    expect(diff([open, records], aids).text).toContain(
      'lost    callers that the condition small refused',
    );
  });
});

describe('lists, as the commands print them', () => {
  const set = fileURLToPath(new URL('../../testdata/lists.binpb', import.meta.url));
  const aids = { conditions: celConditions() };
  const list = '/records.v1.Lists/List';
  const visible = "visible (visible: 'staff' in subject.roles || resource.owner == subject.id)";

  it('show the filter of the caller, and whether it shows a record', () => {
    const asked = (...more: string[]) =>
      explain([set, list, '--roles', 'user', '--id', 'ada', ...more], aids);
    expect(asked()).toEqual({
      code: 0,
      text: `${list}: roles: any of user; lists records.v1.Record where ${visible}
roles user: allowed
  + roles: any_of "user" passes
  + lists records.v1.Record where owner == "ada"
`,
    });
    expect(asked('--listed', '{"owner":"ada"}')).toMatchObject({
      code: 0,
      text: expect.stringContaining('\n  + shows the record\n'),
    });
    expect(asked('--listed', '{"owner":"eve"}')).toMatchObject({
      code: 1,
      text: expect.stringContaining('\n  - does not show the record\n'),
    });
    expect(() => asked('--listed', '{"ownr":"eve"}')).toThrow('listed: is not a records.v1.Record');
  });

  it('are compared with a table of cases', () => {
    const run = (listed: string) => {
      const said = { out: '', err: '' };
      const code = authzCommand(['check', set, '--cases', 'a.yaml'], {
        ...aids,
        read: () => `
callers:
  ada: { id: ada, roles: [user] }
  sam: { id: sam, roles: [user, staff] }
  out: { id: ada }
cases:
  - { method: ${list}, allowed: [ada, sam], denied: [out] }
  - { method: ${list}, listed: ${listed}, allowed: [ada, sam], denied: [out] }
`,
        print: (text) => (said.out += text),
        complain: (text) => (said.err += text),
      });
      return { code, ...said };
    };
    expect(run('{ owner: ada }')).toMatchObject({ code: 0, err: '' });
    expect(run('{ owner: eve }')).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        `a.yaml: ${list}: the record should be listed for ada but is not: owner == "ada"\n`,
      ),
    });
  });

  it('are in differences, by what their definitions mean', () => {
    const other = join(folder, 'other.binpb');
    const registry = listsWith('List', {
      type: 'records.v1.Record',
      where: "resource.owner == ''",
    });
    const file = [...registry.files()];
    writeFileSync(
      other,
      toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })),
    );
    expect(diff([set, set], aids).text).toBe('no policy changed\n');
    expect(diff([set, other], aids).text).toBe(`${list}
  before  roles: any of user; lists records.v1.Record where ${visible}
  after   roles: any of user; lists records.v1.Record where resource.owner == ''
  gained  records of records.v1.Record that the list did not show by visible
  lost    records of records.v1.Record that the list did not show by resource.owner == ''
`);
  });
});

describe('fields that not every caller sees', () => {
  const fields = fileURLToPath(new URL('../../testdata/fields.binpb', import.meta.url));
  const aids = { conditions: celConditions() };
  const explained = (...args: string[]): string =>
    explain([fields, '/fields.v1.Directory/Get', '--roles', 'user', '--id', 'ada', ...args], aids)
      .text;

  it('are explained, with the values that their conditions read in an answer', () => {
    expect(explained()).toContain(
      '  - field fields.v1.Person.phone: is hidden (roles: has none of "staff")\n',
    );
    expect(explained()).toMatch(
      /  - field fields\.v1\.Person\.email: depends on the answer \(.*\); give --answer\n/,
    );
    expect(explained()).toContain('  + field fields.v1.Person.photo: is shown\n');
    const answer = JSON.stringify({ owner: 'ada', friends: [{ owner: 'eve' }] });
    expect(explained('--answer', answer)).toMatch(
      /- field fields\.v1\.Person\.email: is hidden \(.*this\.owner is 'ada'.*this\.owner is 'eve'.*\)\n/,
    );
    expect(explained('--answer', '{"owner":"ada"}')).toContain(
      '+ field fields.v1.Person.email: is shown',
    );
    expect(() => explained('--answer', '{"nobody":1}')).toThrow(
      /^answer: is not a fields\.v1\.Person/,
    );
  });

  it('are hidden from an anonymous caller, and shown where a condition is true of every message', () => {
    const anonymous = explain([fields, '/fields.v1.Directory/Card'], aids).text;
    expect(anonymous).toContain('- field fields.v1.Person.photo: is hidden\n');
    expect(explained('--roles', 'user,staff')).toContain(
      '+ field fields.v1.Person.email: is shown',
    );
    expect(
      explain([fields, '/fields.v1.Directory/Plain', '--roles', 'user'], aids).text,
    ).not.toContain('field ');
  });

  it('are in the report, and in the difference of two sets', () => {
    const report = (format: string) => runText('report', fields, '--format', format);
    expect(report('text')).toMatch(/\nfields\.v1\.Person\.phone +roles: any of staff\n/);
    expect(JSON.parse(report('json'))).toContainEqual(
      expect.objectContaining({ field: 'fields.v1.Person.phone' }),
    );
    const later = join(folder, 'later.binpb');
    const staff = { roles: { anyOf: ['staff'] } };
    writeFileSync(later, fieldSetWith({ 'Person.phone': {}, 'Person.name': staff }));
    const changes = diff([fields, later, '--fail-on', 'gained'], aids);
    expect(changes.code).toBe(1);
    expect(changes.text).toContain(
      'fields.v1.Person.phone\n  before  roles: any of staff\n  after   any authenticated caller\n  gained  any authenticated caller\n',
    );
    expect(changes.text).toContain(
      'fields.v1.Person.name\n  before  every caller that gets the message\n  after   roles: any of staff\n  lost    ',
    );
  });

  function runText(...args: string[]): string {
    let text = '';
    const io = {
      ...aids,
      read: () => '',
      print: (out: string) => void (text += out),
      complain: (out: string) => void (text += out),
    };
    authzCommand(args, io);
    return text;
  }

  it('are compared with a table of cases, by the answer that each caller gets', () => {
    const run = (hidden: string) => {
      const said = { out: '', err: '' };
      const code = authzCommand(['check', fields, '--cases', 'a.yaml'], {
        ...aids,
        read: () => `
callers:
  ada: { id: ada, roles: [user] }
  sam: { id: sam, roles: [user, staff] }
cases:
  - method: /fields.v1.Directory/List
    answer: { people: [{ owner: ada, email: a, phone: p }, { owner: eve, email: e, work: { door_code: c } }] }
    hidden: ${hidden}
`,
        print: (text) => (said.out += text),
        complain: (text) => (said.err += text),
      });
      return { code, ...said };
    };
    const right =
      '{ ada: ["people[0].phone", "people[1].email", "people[1].work.door_code"], sam: [] }';
    expect(run(right)).toMatchObject({ code: 0, err: '' });
    expect(run('{ ada: ["people[0].phone"] }')).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        'a.yaml: /fields.v1.Directory/List: the answer to ada should hide people[0].phone but hides people[0].phone, people[1].email, people[1].work.door_code\n',
      ),
    });
    expect(run('{ sam: ["people[0].phone"] }').out).toContain('but hides nothing');
    expect(run('{}').err).toContain('cases[0]: answer and hidden need each other');
    expect(run('{ eve: [] }').err).toContain('callers has no "eve"');
  });
});
