import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandReport } from './command-report.js';
import { differences } from './judge.js';
import { type Enforced, pageMatrix } from './page-matrix.js';
import { type PolicyFile, withPolicies } from './policy-file.js';
import { ETCD, GOOGLE } from './policy-files.js';

/** How many differences of a set are printed. */
const MOST_SHOWN = 20;

const { GOOGLE_SET, ETCD_SET, APIX_AUTHZ } = process.env;

interface Case extends Enforced {
  readonly name: string;
  /** What the protos have: another number means that not all of them were read. */
  readonly methods: number;
  /** What callers may do in it. */
  readonly marks: string;
}

const CASES: readonly Case[] = [
  demo('shop', 15, ['shop.v1.Order']),
  demo('payments', 4, []),
  given('etcd', ETCD_SET!, ETCD, 'deny', 41),
  ...(GOOGLE_SET === undefined ? [] : [given('google', GOOGLE_SET, GOOGLE, 'allow', 13_458)]),
];

for (const each of CASES) {
  const begun = performance.now();
  // Both load the set, in processes of their own.
  const [matrix, report] = await Promise.all([pageMatrix(each), commandReport(APIX_AUTHZ!, each)]);
  const found = [...differences(matrix, report)];
  const { methods, callers, fields } = matrix;
  if (methods.length !== each.methods) {
    found.push(`${methods.length} methods, must be ${each.methods}`);
  }
  const marks = [...new Set(methods.flatMap(({ access }) => access.split('')))].toSorted().join('');
  if (marks !== each.marks) found.push(`callers have ${marks}, must have ${each.marks}`);
  for (const text of found.slice(0, MOST_SHOWN)) console.log(`FAILED ${each.name}: ${text}`);
  if (found.length > 0) process.exitCode = 1;
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  console.log(
    `${each.name}: ${methods.length} methods for ${callers.length} callers, ${fields.length} fields: ` +
      `${found.length} differences between page and command, ${seconds} s`,
  );
}

function demo(name: string, methods: number, records: readonly string[]): Case {
  const file = `apps/demo/gen/${name}.binpb`;
  return { name, file, unannotated: 'deny', records, methods, marks: '+-' };
}

/** A set that gets its policies from a file of this folder. */
function given(
  name: string,
  set: string,
  policies: PolicyFile,
  unannotated: Enforced['unannotated'],
  methods: number,
): Case {
  const file = join(import.meta.dirname, `${name}.binpb`);
  writeFileSync(file, withPolicies(readFileSync(set), policies));
  return { name, file, unannotated, records: [], methods, marks: '+-?' };
}
