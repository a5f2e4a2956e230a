import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type SharedNames, nameMistakes } from './name-rules.js';
import { readPackages } from './package-tree.js';
import { fakePackage } from './package.fixture.js';
import { SHARED_NAMES } from './shared-names.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TICKET_TWICE: SharedNames = [{ reason: 'Because.', names: { Ticket: 2 } }];

describe('the exported names of libs/', () => {
  it('belong to one thing each, but for those that are listed with a reason', () => {
    expect(nameMistakes(readPackages(root), SHARED_NAMES)).toEqual([]);
  });

  it.each(SHARED_NAMES)('are shared in alphabetical order: $reason', ({ reason, names }) => {
    expect(reason).toMatch(/^[A-Z].+\.$/);
    expect(Object.keys(names)).toEqual(Object.keys(names).toSorted());
  });
});

type Texts = Readonly<Partial<Record<'a' | 'b' | 'c', string>>>;

const REFUSED: readonly (readonly [string, Texts, SharedNames, readonly string[]])[] = [
  [
    'an exported type and an exported constant of another package',
    { a: 'export interface Ticket {}', b: 'export const Ticket = made(class Ticket {});' },
    [],
    ['Ticket is declared 2 times: authz/a.ts, logx/b.ts'],
  ],
  [
    'an exported type and a private one',
    { a: 'export class Ticket {}', b: 'type Ticket = string;' },
    [],
    ['Ticket is declared 2 times: authz/a.ts, logx/b.ts'],
  ],
  [
    'a private type and one that is exported as a part of its declarations',
    { a: 'export interface Ticket {} class Ticket {}', b: 'type Ticket = string;' },
    [],
    ['Ticket is declared 2 times: authz/a.ts, logx/b.ts'],
  ],
  [
    'two exported functions',
    { a: 'export function ticketOf() {}', b: 'export const ticketOf = () => {};' },
    [],
    ['ticketOf is declared 2 times: authz/a.ts, logx/b.ts'],
  ],
  [
    'a name more often than it is listed',
    { a: 'export class Ticket {}', b: 'enum Ticket {}', c: 'interface Ticket {}' },
    TICKET_TWICE,
    ['Ticket is declared 3 times: authz/a.ts, logx/b.ts, hostx/c.ts'],
  ],
  [
    'a name that is listed and declared once',
    { a: 'export class Ticket {}' },
    TICKET_TWICE,
    ['tools/architecture/shared-names.ts has Ticket, which is no longer declared twice'],
  ],
];

describe('the rule of names', () => {
  it.each(REFUSED)('refuses %s', (_, { a = '', b = '', c = '' }, shared, mistakes) => {
    const packages = [
      fakePackage('authz', { 'a.ts': a }),
      fakePackage('logx', { 'b.ts': b }),
      fakePackage('hostx', { 'c.ts': c }),
    ];
    expect(nameMistakes(packages, shared)).toEqual(mistakes);
  });

  it.each([
    ['a listed name', { a: 'export class Ticket {}', b: 'class Ticket {}' }, TICKET_TWICE],
    ['private types', { a: 'type Ticket = 1;', b: 'type Ticket = 2;' }, []],
    ['a private function', { a: 'export function nameOf() {}', b: 'function nameOf() {}' }, []],
    [
      'overloads',
      { a: 'export function f(a: 1): void; export function f(a: 2): void;', b: '' },
      [],
    ],
    ['a type and its value', { a: 'export type T = 1; export const T = () => {};', b: '' }, []],
    ['constants', { a: 'export const LIMIT = 1;', b: 'export const LIMIT = 2;' }, []],
    ['a name and its re-export', { a: 'export class A {}', b: "export { A } from './a.js';" }, []],
  ])('allows %s', (_, { a, b }, shared) => {
    expect(nameMistakes([fakePackage('authz', { 'a.ts': a, 'b.ts': b })], shared)).toEqual([]);
  });
});
