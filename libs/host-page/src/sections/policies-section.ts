import type { Clock, MethodAccess, PolicyReport, SupposedCaller } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import type { PoliciesView, PolicyExplanation, PolicyMatrix } from '../section-views.js';
import { DecisionTail, MOST_DECISIONS } from './decision-tail.js';
import { type OnSourceFailure, readEachSource } from './read-each-source.js';
import type { PageSection } from './section.js';

/** How many roles and permissions have a column, at most. */
const MOST_CALLERS = 40;
/** How many methods the page lists by denials, at most. */
const MOST_DENIED = 50;
/** Of a method, in UTF-16 units. */
const MOST_TEXT = 200;

const MARKS = { allowed: '+', denied: '-', undecided: '?' } as const satisfies Record<
  MethodAccess,
  string
>;

/** A column of the matrix. */
interface Column {
  readonly head: string;
  /** Null: one who is not known. */
  readonly caller: SupposedCaller | null;
}

/** Who may call what, why, and the decisions of late. */
export function policiesSection(
  reports: readonly PolicyReport[],
  clock: Clock,
  onFailure: OnSourceFailure,
): PageSection<'policies'> {
  const tail = new DecisionTail(reports, clock);
  let told = 0;
  return {
    id: 'policies',
    isPresent: () => reports.length > 0,
    view(full) {
      const decisions = tail.since(full ? 0 : told);
      told = tail.lastId;
      const { leftOut } = tail;
      return { decisions, leftOut, keeps: MOST_DECISIONS, denials: denialsOf(reports, onFailure) };
    },
    watch: () => tail.follow(),
    item(name, query) {
      if (name === 'matrix') return JSON.stringify(matrixOf(reports));
      if (name !== 'explain') return undefined;
      const explanation = explained(reports, query);
      return explanation && JSON.stringify(explanation);
    },
  };
}

function denialsOf(
  reports: readonly PolicyReport[],
  onFailure: OnSourceFailure,
): PoliciesView['denials'] {
  const rowsOf = (report: PolicyReport) =>
    [...report.denials()]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MOST_DENIED)
      .map(([method, count]) => ({ method: cutText(method, MOST_TEXT), count }));
  const rows = readEachSource('denials', reports, rowsOf, onFailure);
  return rows.toSorted((a, b) => b.count - a.count).slice(0, MOST_DENIED);
}

/** Every method and who may call it, with a column for callers of each role and permission alone. */
function matrixOf(reports: readonly PolicyReport[]): PolicyMatrix {
  const named = reports.map((report) => report.named());
  const roles = distinct(named.flatMap((each) => each.roles));
  const permissions = distinct(named.flatMap((each) => each.permissions));
  const all: readonly Column[] = [
    { head: 'anonymous', caller: null },
    { head: 'any caller', caller: { roles: [], permissions: [] } },
    ...roles.map((role) => ({ head: role, caller: { roles: [role], permissions: [] } })),
    ...permissions.map((permission) => ({
      head: `may ${permission}`,
      caller: { roles: [], permissions: [permission] },
    })),
  ];
  const columns = all.slice(0, MOST_CALLERS + 2);
  return {
    callers: columns.map(({ head }) => head),
    leftOut: all.length - columns.length,
    methods: reports.flatMap((report) =>
      report.methods().map(({ method, who }) => ({
        method,
        who,
        access: columns.map(({ caller }) => MARKS[report.accessFor(method, caller)]).join(''),
      })),
    ),
    fields: reports.flatMap((report) => report.fields()),
  };
}

/** Undefined for a method that no report knows. */
function explained(
  reports: readonly PolicyReport[],
  query: URLSearchParams,
): PolicyExplanation | undefined {
  const method = query.get('method') ?? '';
  const caller = callerIn(query);
  for (const report of reports) {
    const found = report.explain(method, caller);
    if (found === undefined) continue;
    const { verdict, access, findings } = found;
    const lines = findings.map(({ passes, text }) => ({ mark: markOf(passes), text }));
    return { method, verdict, outcome: access, findings: lines };
  }
  return undefined;
}

function markOf(passes: boolean | undefined): '+' | '-' | '?' {
  return passes === undefined ? '?' : passes ? '+' : '-';
}

/** The caller in `anonymous`, or in `id`, `roles` and `permissions`, the names of which are split at commas. */
function callerIn(query: URLSearchParams): SupposedCaller | null {
  if (query.has('anonymous')) return null;
  const id = query.get('id')?.trim() ?? '';
  return {
    roles: listIn(query, 'roles'),
    permissions: listIn(query, 'permissions'),
    ...(id !== '' && { id }),
  };
}

function listIn(query: URLSearchParams, name: string): string[] {
  const values = (query.get(name) ?? '').split(',').map((value) => value.trim());
  return values.filter((value) => value !== '');
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}
