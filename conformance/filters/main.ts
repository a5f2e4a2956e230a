import { TestAllTypesSchema } from '@bufbuild/cel-spec/cel/expr/conformance/proto3/test_all_types_pb.js';
import { compileFilter } from '../../libs/authz/src/cel/filter/compile-filter.js';
import { areMistakes } from '../../libs/authz/src/cel/cel-scope.js';
import { compileExpression } from '../../libs/authz/src/cel/compile-expression.js';
import { mayList } from '../../libs/authz/src/cel/filter/list-filter.js';
import { toSql } from '../../libs/authz/src/filters/to-sql.js';
import {
  condition,
  fillRecords,
  knownValues,
  NAMES,
  openDatabase,
  scope,
} from '../cel/filter-cases.js';
import { seeded } from '../cel/random-expressions.js';
import { INEXPRESSIBLE, openLibraries } from './libraries.mjs';

const quick = process.argv.includes('--quick');
const seed = Number(process.argv.find((arg) => arg.startsWith('--seed='))?.slice(7) ?? 1);
const [conditions, rows] = quick ? [100, 200] : [1000, 1000];

const random = seeded(seed);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const database = openDatabase();
const records = await fillRecords(database, rows, random);
const listings = {
  mayList: (filter: Parameters<typeof mayList>[0]) =>
    Promise.resolve(records.flatMap((record, id) => (mayList(filter, record) ? [id] : []))),
  toSql: async (filter: Parameters<typeof toSql>[0]) => {
    const { text, values } = toSql(filter, { columns: NAMES });
    const query = `SELECT id FROM records WHERE ${text} ORDER BY id`;
    return (await database.query<{ id: number }>(query, [...values])).rows.map(({ id }) => id);
  },
  ...(await openLibraries(database, NAMES)),
};
const failed = new Map(Object.keys(listings).map((name) => [name, 0]));
const inexpressible = new Map<string, number>();
const sizes = { none: 0, all: 0 };
for (let count = 0; count < conditions; count++) {
  const source = condition(random, 3);
  const values = knownValues(pick);
  const compiled = compileFilter(source, scope, 'resource');
  const expression = compileExpression(source, scope);
  if (areMistakes(compiled) || areMistakes(expression)) throw new Error(source);
  const filter = {
    desc: TestAllTypesSchema,
    fields: compiled.fields,
    where: compiled.plan(values),
  };
  const allowed = records.flatMap((record, id) =>
    expression.evaluate({ ...values, resource: record }) === true ? [id] : [],
  );
  if (allowed.length === 0) sizes.none++;
  if (allowed.length === rows) sizes.all++;
  for (const [name, list] of Object.entries(listings)) {
    const listed = await list(filter).catch((error: unknown) => [String(error)]);
    if (String(listed) === String(allowed)) continue;
    if (INEXPRESSIBLE.test(String(listed))) {
      inexpressible.set(name, (inexpressible.get(name) ?? 0) + 1);
      continue;
    }
    failed.set(name, failed.get(name)! + 1);
    if (failed.get(name)! < 4) {
      console.log(
        `FAILED ${name}: ${source}\n  ${allowed.length} allowed, listed ${String(listed).slice(0, 300)}`,
      );
    }
  }
}
await database.close();
for (const [name, count] of failed) {
  console.log(
    `${name}: ${conditions} conditions on ${rows} records of seed ${seed}, ${sizes.none} list none, ${sizes.all} all, ${inexpressible.get(name) ?? 0} refused as not expressible, ${count} differ`,
  );
}
process.exit([...failed.values()].some((count) => count > 0) ? 1 : 0);
